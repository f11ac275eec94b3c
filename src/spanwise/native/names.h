/* Keys of names: the same numbers as data/identifiers.py makes, so that both paths agree. */
#ifndef SPANWISE_NAMES_H
#define SPANWISE_NAMES_H

#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the native core reads words as little-endian; build with SPANWISE_BUILD=pure"
#endif

#define GROUP_MIX UINT64_C(0xD6E8FEB86659FD93)

/* A random odd number of this process: nobody can write names that share keys without knowing it.
   It is settled once, while Python imports the module that makes keys, and read ever after. */
static uint64_t mix = UINT64_C(0x9E3779B97F4A7C15);
static int mix_is_settled = 0;

/* Spread the bits of a key; different keys stay different. A multiplication carries differences
   upwards only, so those of high bits are folded down between two of them: without that, names
   that differ in the last bytes of two words would share keys whatever the number is. */
static inline uint64_t mixed(uint64_t key)
{
    key *= mix;
    return (key ^ (key >> 32)) * mix;
}

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

/* The eight bytes at `text`, of which `room` may be read. */
static inline uint64_t word_within(const uint8_t *text, int64_t room)
{
    uint64_t word = 0;
    if (room >= 8) return word_at(text);
    if (room > 0) memcpy(&word, text, (size_t)room);
    return word;
}

/* The key of the name `text[0:size]`; `room` bytes of its buffer may be read from there. */
static inline uint64_t name_key(const uint8_t *text, int64_t size, int64_t room)
{
    uint64_t key = cut_word(word_within(text, room), size);
    for (int64_t at = 8; at < size; at += 8)
        key = mixed(key) + cut_word(word_within(text + at, room - at), size - at);
    return key;
}

/* A mixed key that also tells groups apart. */
static inline uint64_t grouped_mixed(uint64_t mixed_key, int64_t group)
{
    return (mixed_key ^ ((uint64_t)group * GROUP_MIX)) * mix;
}

static inline uint64_t grouped_key(uint64_t key, int64_t group)
{
    return grouped_mixed(mixed(key), group);
}

#endif
