/* Keys of names: the same numbers as data/identifiers.py makes, so that both paths agree. */
#ifndef SPANWISE_NAMES_H
#define SPANWISE_NAMES_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the native core reads words as little-endian; build with SPANWISE_BUILD=pure"
#endif

#define MIX UINT64_C(0x9E3779B97F4A7C15)
#define GROUP_MIX UINT64_C(0xD6E8FEB86659FD93)

static inline uint64_t mixed(uint64_t key) { return (key ^ (key >> 32)) * MIX; }

static inline uint64_t word_at(const uint8_t *text)
{
    uint64_t word;
    memcpy(&word, text, 8);
    return word;
}

/* The first `size` bytes of a word, zero beyond; `size` may be larger than 8. */
static inline uint64_t cut_word(uint64_t word, int64_t size)
{
    return size >= 8 ? word : word & ((UINT64_C(1) << (8 * size)) - 1);
}

static inline uint64_t grouped_key(uint64_t key, int64_t group)
{
    return (mixed(key) ^ ((uint64_t)group * GROUP_MIX)) * MIX;
}

#endif
