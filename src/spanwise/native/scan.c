/* Columns separated by blanks: one pass over the bytes of a block.

   The twin is formats/column_text.py. What is plain is decoded here; a block with comments, blank
   lines, wrong numbers of columns or values that are faults is handed back, because only Python
   has the words for it. Blocks begin and end with a line feed, and PADDING bytes follow. */
#include <float.h>
#include <math.h>

#if defined(__SSE2__) && !defined(SPANWISE_PORTABLE)
#include <emmintrin.h>
#define SCAN_SSE2 1
#endif

#define PADDING 8
#define LONGEST_NAME 1024 /* Bytes of a name whose key is made of words; see identifiers.py. */
#define ENDLESS 400       /* Digits beyond which a whole number is none; see column_text.py. */
#define REPEATED(byte) (UINT64_C(0x0101010101010101) * (byte))

/* -- bits */

static inline int first_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int place = 0;
    while (!(bits >> place & 1)) place++;
    return place;
#endif
}

static inline int leading_zeros(uint64_t bits)
{
#if defined(__GNUC__)
    return __builtin_clzll(bits);
#else
    int count = 0;
    while (!(bits >> (63 - count) & 1)) count++;
    return count;
#endif
}

/* The product of two numbers: its upper half, and its lower one in `low`. */
static inline uint64_t product(uint64_t left, uint64_t right, uint64_t *low)
{
#if defined(__SIZEOF_INT128__) && !defined(SPANWISE_PORTABLE)
    __extension__ typedef unsigned __int128 Wide;
    Wide wide = (Wide)left * right;
    *low = (uint64_t)wide;
    return (uint64_t)(wide >> 64);
#else
    uint64_t small_left = left & UINT32_MAX, large_left = left >> 32;
    uint64_t small_right = right & UINT32_MAX, large_right = right >> 32;
    uint64_t lowest = small_left * small_right;
    uint64_t middle = large_left * small_right + (lowest >> 32);
    uint64_t other = small_left * large_right + (middle & UINT32_MAX);
    *low = (other << 32) | (lowest & UINT32_MAX);
    return large_left * large_right + (middle >> 32) + (other >> 32);
#endif
}

/* -- numbers */

/* The value of the first `size` (0 to 8) characters of a word; 0 if one of them is no digit. */
static inline int digits_of(uint64_t word, int64_t size, uint64_t *value)
{
    /* Two shifts each, because a shift by all 64 bits is not defined. */
    int used = (int)(4 * size), unused = 32 - used;
    word = word << unused << unused;
    word |= REPEATED(0x30) >> used >> used;
    uint64_t high = word & REPEATED(0xF0), carried = (word + REPEATED(0x06)) & REPEATED(0xF0);
    /* Eight digits become four pairs, two fours, one eight: three multiplications. */
    word = ((word & REPEATED(0x0F)) * 2561) >> 8;
    word = ((word & UINT64_C(0x00FF00FF00FF00FF)) * 6553601) >> 16;
    *value = ((word & UINT64_C(0x0000FFFF0000FFFF)) * UINT64_C(42949672960001)) >> 32;
    return high == REPEATED(0x30) && carried == REPEATED(0x30);
}

/* A whole number of 64 bits; 0 if the text is something else. */
static inline int whole_number(const uint8_t *text, const uint8_t *end, int64_t *number)
{
    int negative = *text == '-';
    text += negative | (*text == '+');
    int64_t size = end - text;
    uint64_t value;
    if (size <= 8) {
        if (size == 0 || !digits_of(word_at(text), size, &value)) return 0;
    } else {
        if (size >= ENDLESS) return 0;
        value = 0;
        for (; text < end; text++) {
            uint64_t digit = (uint64_t)*text - '0';
            if (digit > 9 || value > INT64_MAX / 10) return 0;
            value = value * 10 + digit;
            if (value > INT64_MAX) return 0;
        }
    }
    *number = negative ? -(int64_t)value : (int64_t)value;
    return 1;
}

#define MOST_FRACTION 27 /* 5^27 is the last power of five of 64 bits. */
#define MOST_DIGITS 19   /* Any number of so many digits has 64 bits. */
#define EXACT_POWERS 22  /* 10^22 is the last power of ten that is a double. */
#define EXACT_WHOLE (UINT64_C(1) << 53)

static const double TENS[EXACT_POWERS + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};
static const uint64_t WHOLE_TENS[9] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
};

/* 5^k with its top bit moved up to bit 63; the reciprocal with which Moeller and Granlund divide
   ("Improved division by invariant integers", algorithm 4); what is missing from the exponent. */
typedef struct {
    uint64_t divisor, reciprocal;
    int exponent;
} PowerOfFive;

static const PowerOfFive FIVES[MOST_FRACTION + 1] = {
    {UINT64_C(0x8000000000000000), UINT64_C(0xFFFFFFFFFFFFFFFF), 1},
    {UINT64_C(0xA000000000000000), UINT64_C(0x9999999999999999), -2},
    {UINT64_C(0xC800000000000000), UINT64_C(0x47AE147AE147AE14), -5},
    {UINT64_C(0xFA00000000000000), UINT64_C(0x0624DD2F1A9FBE76), -8},
    {UINT64_C(0x9C40000000000000), UINT64_C(0xA36E2EB1C432CA57), -12},
    {UINT64_C(0xC350000000000000), UINT64_C(0x4F8B588E368F0846), -15},
    {UINT64_C(0xF424000000000000), UINT64_C(0x0C6F7A0B5ED8D36B), -18},
    {UINT64_C(0x9896800000000000), UINT64_C(0xAD7F29ABCAF48578), -22},
    {UINT64_C(0xBEBC200000000000), UINT64_C(0x5798EE2308C39DF9), -25},
    {UINT64_C(0xEE6B280000000000), UINT64_C(0x12E0BE826D694B2E), -28},
    {UINT64_C(0x9502F90000000000), UINT64_C(0xB7CDFD9D7BDBAB7D), -32},
    {UINT64_C(0xBA43B74000000000), UINT64_C(0x5FD7FE17964955FD), -35},
    {UINT64_C(0xE8D4A51000000000), UINT64_C(0x19799812DEA11197), -38},
    {UINT64_C(0x9184E72A00000000), UINT64_C(0xC25C268497681C26), -42},
    {UINT64_C(0xB5E620F480000000), UINT64_C(0x6849B86A12B9B01E), -45},
    {UINT64_C(0xE35FA931A0000000), UINT64_C(0x203AF9EE756159B2), -48},
    {UINT64_C(0x8E1BC9BF04000000), UINT64_C(0xCD2B297D889BC2B6), -52},
    {UINT64_C(0xB1A2BC2EC5000000), UINT64_C(0x70EF54646D496892), -55},
    {UINT64_C(0xDE0B6B3A76400000), UINT64_C(0x2725DD1D243ABA0E), -58},
    {UINT64_C(0x8AC7230489E80000), UINT64_C(0xD83C94FB6D2AC34A), -62},
    {UINT64_C(0xAD78EBC5AC620000), UINT64_C(0x79CA10C9242235D5), -65},
    {UINT64_C(0xD8D726B7177A8000), UINT64_C(0x2E3B40A0E9B4F7DD), -68},
    {UINT64_C(0x878678326EAC9000), UINT64_C(0xE392010175EE5962), -72},
    {UINT64_C(0xA968163F0A57B400), UINT64_C(0x82DB34012B25144E), -75},
    {UINT64_C(0xD3C21BCECCEDA100), UINT64_C(0x357C299A88EA76A5), -78},
    {UINT64_C(0x84595161401484A0), UINT64_C(0xEF2D0F5DA7DD8AA2), -82},
    {UINT64_C(0xA56FA5B99019A5C8), UINT64_C(0x8C240C4AECB13BB5), -85},
    {UINT64_C(0xCECB8F27F4200F3A), UINT64_C(0x3CE9A36F23C0FC90), -88},
};

static inline double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double power;
    memcpy(&power, &bits, 8);
    return power;
}

/* mantissa / 10^fraction, correctly rounded: a division with remainder, which rounds once. */
static double divided(uint64_t mantissa, int fraction)
{
    const PowerOfFive *power = &FIVES[fraction];
    int lead = leading_zeros(mantissa);
    uint64_t upper = (mantissa << lead) >> 1, lower = (mantissa << lead) << 63, low;
    uint64_t quotient = product(power->reciprocal, upper, &low);
    low += lower;
    quotient += upper + (low < lower) + 1;
    uint64_t rest = lower - quotient * power->divisor;
    if (rest > low) {
        quotient--;
        rest += power->divisor;
    }
    if (rest >= power->divisor) {
        quotient++;
        rest -= power->divisor;
    }
    /* 63 or 64 bits of the result; whether anything follows them is kept in the last one. */
    quotient = (quotient >> 1) | (quotient & 1) | (rest != 0);
    return (double)(int64_t)quotient * power_of_two(power->exponent - lead);
}

/* mantissa * 10^exponent, correctly rounded; 0 if that is not for us to say. */
static inline int scaled(uint64_t mantissa, int64_t exponent, double *value)
{
    if (FLT_EVAL_METHOD == 0 && mantissa < EXACT_WHOLE && exponent >= -EXACT_POWERS
        && exponent <= EXACT_POWERS) {
        /* Two exact doubles: one operation rounds once. */
        double whole = (double)(int64_t)mantissa;
        *value = exponent < 0 ? whole / TENS[-exponent] : whole * TENS[exponent];
        return 1;
    }
    if (mantissa == 0) {
        *value = 0.0;
        return 1;
    }
    if (exponent > 0 || exponent < -MOST_FRACTION) return 0;
    *value = divided(mantissa, (int)-exponent);
    return 1;
}

/* Any plain spelling, character by character; 0 if it is not plain or has too many digits. */
static int spelled_decimal(const uint8_t *text, const uint8_t *end, double *value)
{
    uint64_t mantissa = 0;
    int64_t digits = 0, significant = 0, exponent = 0, written = 0;
    int dotted = 0;
    for (; text < end; text++) {
        uint8_t digit = (uint8_t)(*text - '0');
        if (digit <= 9) {
            digits++;
            exponent -= dotted;
            if ((significant || digit) && ++significant > MOST_DIGITS) return 0;
            mantissa = mantissa * 10 + digit;
        } else if (*text == '.' && !dotted) {
            dotted = 1;
        } else {
            break;
        }
    }
    if (digits == 0) return 0;
    if (text < end) {
        if ((*text++ | 0x20) != 'e') return 0;
        int negative = text < end && *text == '-';
        if (text < end && (*text == '-' || *text == '+')) text++;
        if (text == end) return 0;
        for (; text < end; text++) {
            uint8_t digit = (uint8_t)(*text - '0');
            if (digit > 9 || written > ENDLESS) return 0;
            written = written * 10 + digit;
        }
        exponent += negative ? -written : written;
    }
    return scaled(mantissa, exponent, value);
}

/* Which of the eight characters of a word is the first dot; 8 if none is. */
static inline int64_t first_dot(uint64_t word)
{
    uint64_t other = word ^ REPEATED('.');
    uint64_t marks = (other - REPEATED(0x01)) & ~other & REPEATED(0x80);
    return marks ? first_bit(marks) >> 3 : 8;
}

/* Up to eight digits, a dot, up to sixteen digits; 0 for any other spelling. */
static inline int usual_decimal(const uint8_t *text, int64_t size, double *value)
{
    uint64_t word = word_at(text), mantissa, part, further;
    int64_t whole = first_dot(word);
    if (whole >= size) whole = size;
    int64_t fraction = size - whole - (whole < size);
    if (whole == 8 && size > 8) return 0;
    if (fraction > 16 || whole + fraction > MOST_DIGITS || whole + fraction <= 0) return 0;
    int good = digits_of(word, whole, &mantissa);
    if (fraction <= 8) {
        good &= digits_of(word_at(text + whole + 1), fraction, &part);
        mantissa = mantissa * WHOLE_TENS[fraction] + part;
    } else {
        good &= digits_of(word_at(text + whole + 1), 8, &part);
        good &= digits_of(word_at(text + whole + 9), fraction - 8, &further);
        mantissa = (mantissa * WHOLE_TENS[8] + part) * WHOLE_TENS[fraction - 8] + further;
    }
    return good && scaled(mantissa, -fraction, value);
}

/* A decimal, correctly rounded; 0 if Python has to look at it. */
static inline int decimal(const uint8_t *text, const uint8_t *end, double *value)
{
    int negative = *text == '-';
    text += negative | (*text == '+');
    if (!usual_decimal(text, end - text, value) && !spelled_decimal(text, end, value)) return 0;
    if (negative) *value = -*value;
    return 1;
}

/* -- edges between blanks and text */

typedef struct {
    uint64_t lines;
    int unusual; /* A NUL byte, or one beyond ASCII: Python checks the text. */
} Seen;

/* Which of 64 bytes are blank (everything up to the blank itself). */
static inline uint64_t blanks_in(const uint8_t *text, Seen *seen)
{
    uint64_t blanks = 0;
#ifdef SCAN_SSE2
    __m128i blank = _mm_set1_epi8(' '), newline = _mm_set1_epi8('\n'), none = _mm_setzero_si128();
    __m128i newlines = none, unusual = none;
    for (int part = 0; part < 4; part++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * part));
        __m128i is_blank = _mm_cmpeq_epi8(_mm_min_epu8(bytes, blank), bytes);
        newlines = _mm_sub_epi8(newlines, _mm_cmpeq_epi8(bytes, newline));
        unusual = _mm_or_si128(unusual, _mm_or_si128(bytes, _mm_cmpeq_epi8(bytes, none)));
        blanks |= (uint64_t)(uint32_t)_mm_movemask_epi8(is_blank) << (16 * part);
    }
    __m128i sums = _mm_sad_epu8(newlines, none);
    seen->lines += (uint64_t)(_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4));
    seen->unusual |= _mm_movemask_epi8(unusual);
#else
    for (int part = 0; part < 8; part++) {
        uint64_t word = word_at(text + 8 * part), tops = REPEATED(0x80);
        uint64_t other = word ^ REPEATED('\n');
        uint64_t is_text = ((word & ~tops) + REPEATED(0x5F)) | word;
        uint64_t is_other = ((other & ~tops) + ~tops) | other;
        uint64_t is_something = ((word & ~tops) + ~tops) | word;
        /* One bit of each byte, gathered in the upper byte. */
        uint64_t gather = UINT64_C(0x0102040810204080);
        blanks |= (((~is_text & tops) >> 7) * gather >> 56) << (8 * part);
        seen->lines += ((~is_other & tops) >> 7) * REPEATED(0x01) >> 56;
        seen->unusual |= ((word | ~is_something) & tops) != 0;
    }
#endif
    return blanks;
}

/* Where the fields of some text begin and end. */
typedef struct {
    uint32_t *begins, *ends;
    size_t count, room;
} Edges;

/* The 64 bytes from here on, or fewer and blanks for the rest. */
static inline uint64_t blanks_from(const uint8_t *text, size_t left, Seen *seen)
{
    if (left >= 64) return blanks_in(text, seen);
    uint8_t rest[64];
    memset(rest, ' ', sizeof rest);
    memcpy(rest, text, left);
    return blanks_in(rest, seen);
}

static inline uint32_t *places_of(uint64_t bits, size_t base, uint32_t *next)
{
    for (; bits; bits &= bits - 1) *next++ = (uint32_t)(base + (size_t)first_bit(bits));
    return next;
}

/* Where fields begin if there may be several blanks between two of them. */
static void find_begins(const uint8_t *text, size_t size, Edges *edges)
{
    Seen again = {0, 0};
    uint32_t *next = edges->begins;
    uint64_t before = 1;
    for (size_t base = 0; base < size; base += 64) {
        uint64_t blanks = blanks_from(text + base, size - base, &again);
        next = places_of(~blanks & (blanks << 1 | before), base, next);
        before = blanks >> 63;
    }
}

/* `text` comes after a line feed and ends with one: there are as many begins as ends. */
static void find_edges(const uint8_t *text, size_t size, Edges *edges, Seen *seen)
{
    uint32_t *next = edges->ends;
    uint64_t before = 1, doubled = 0;
    for (size_t base = 0; base < size; base += 64) {
        size_t left = size - base;
        uint64_t blanks = blanks_from(text + base, left, seen), earlier = blanks << 1 | before;
        next = places_of(blanks & ~earlier, base, next);
        doubled |= blanks & earlier & (left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1);
        before = blanks >> 63;
    }
    edges->count = (size_t)(next - edges->ends);
    if (doubled) {
        find_begins(text, size, edges);
        return;
    }
    edges->begins[0] = 0;
    for (size_t place = 1; place < edges->count; place++)
        edges->begins[place] = edges->ends[place - 1] + 1;
}

/* -- what becomes of a column

   '-' nothing
   'g' a group, such as the topic: the rows at which it changes, and where its name stands there
   'n' a name: where it stands, and its key; how many are too long for a key made of words
   'd' a decimal; the rows that Python has to decode, and where these stand
   'w' a whole number; '?' the same, 0 if it is something else
   'o' an offset of 0 or more; 'l' a length of 1 or more, which becomes the end of the range */

typedef struct {
    char kind;
    void *first, *second, *third, *fourth;
    int64_t count;
    const uint8_t *name;
    int64_t size;
    uint64_t word;
} Field;

#define MOST_FIELDS 64
#define ALL_COLUMNS (1 + 4 * MOST_FIELDS)

typedef struct {
    const uint8_t *block;
    Field fields[MOST_FIELDS];
    int count;
    int64_t row, *offsets, *ends;
    Seen seen;
} Scan;

static int columns_of(char kind)
{
    switch (kind) {
    case '-':
        return 0;
    case 'g':
    case 'n':
        return 3;
    case 'd':
        return 4;
    case 'w':
    case '?':
    case 'o':
    case 'l':
        return 1;
    default:
        return -1;
    }
}

static inline void take_group(Field *field, int64_t row, const uint8_t *block, const uint8_t *text,
                              int64_t size)
{
    uint64_t word = cut_word(word_at(text), size);
    if (size == field->size && word == field->word
        && (size <= 8 || memcmp(text + 8, field->name + 8, (size_t)size - 8) == 0))
        return;
    field->name = text;
    field->size = size;
    field->word = word;
    ((int64_t *)field->first)[field->count] = row;
    ((int64_t *)field->second)[field->count] = text - block;
    ((int64_t *)field->third)[field->count++] = text - block + size;
}

static inline void take_name(Field *field, int64_t row, const uint8_t *block, const uint8_t *text,
                             int64_t size)
{
    uint64_t key = cut_word(word_at(text), size);
    for (int64_t place = 8; place < size && place < LONGEST_NAME; place += 8)
        key = mixed(key) + cut_word(word_at(text + place), size - place);
    ((int64_t *)field->first)[row] = text - block;
    ((int64_t *)field->second)[row] = text - block + size;
    ((uint64_t *)field->third)[row] = key;
    field->count += size > LONGEST_NAME;
}

static inline void take_decimal(Field *field, int64_t row, const uint8_t *block,
                                const uint8_t *text, int64_t size)
{
    double value;
    if (!decimal(text, text + size, &value)) {
        value = 0.0;
        ((int64_t *)field->second)[field->count] = row;
        ((int64_t *)field->third)[field->count] = text - block;
        ((int64_t *)field->fourth)[field->count++] = text - block + size;
    }
    ((double *)field->first)[row] = value;
}

static inline int take_number(Field *field, int64_t row, const uint8_t *text, int64_t size)
{
    int64_t number = 0;
    int good = whole_number(text, text + size, &number);
    ((int64_t *)field->first)[row] = number;
    switch (field->kind) {
    case 'o':
        return good && number >= 0;
    case 'l':
        return good && number >= 1;
    default:
        return good || field->kind == '?';
    }
}

/* One line, whose fields begin and end at these places; 0 if there is a fault in it. */
static inline int take_line(Scan *scan, int64_t row, const uint8_t *text, const uint32_t *begins,
                            const uint32_t *ends)
{
    const uint8_t *block = scan->block;
    if (text[begins[0]] == '#') return 0;
    for (int number = 0; number < scan->count; number++) {
        Field *field = &scan->fields[number];
        const uint8_t *begin = text + begins[number];
        int64_t size = (int64_t)ends[number] - begins[number];
        switch (field->kind) {
        case '-':
            break;
        case 'g':
            take_group(field, row, block, begin, size);
            break;
        case 'n':
            take_name(field, row, block, begin, size);
            break;
        case 'd':
            take_decimal(field, row, block, begin, size);
            break;
        default:
            if (!take_number(field, row, begin, size)) return 0;
        }
    }
    if (scan->ends == NULL) return 1;
    if (scan->ends[row] > INT64_MAX - scan->offsets[row]) return 0;
    scan->ends[row] += scan->offsets[row];
    return 1;
}

/* Is there a line feed from here on, before any text? */
static inline int ends_line(const uint8_t *text)
{
    while (*text != '\n')
        if (*text++ > ' ') return 0;
    return 1;
}

/* Whole lines; 0 if anything is unusual. Every line must have a line feed after its last column,
   and there must be no more of them than lines: so none is elsewhere. */
static int take_lines(Scan *scan, const uint8_t *text, size_t size, Edges *edges, int64_t room)
{
    uint64_t before = scan->seen.lines;
    size_t columns = (size_t)scan->count;
    find_edges(text, size, edges, &scan->seen);
    uint64_t lines = scan->seen.lines - before;
    if (edges->count != lines * columns || lines > (uint64_t)(room - scan->row)) return 0;
    const uint32_t *begins = edges->begins, *ends = edges->ends;
    for (uint64_t line = 0; line < lines; line++, begins += columns, ends += columns)
        if (!ends_line(text + ends[columns - 1])
            || !take_line(scan, scan->row + (int64_t)line, text, begins, ends))
            return 0;
    scan->row += (int64_t)lines;
    return 1;
}

/* Small enough for the innermost cache, with the edges. */
#define TILE 16384

typedef enum { TAKEN, DOUBTFUL, NO_MEMORY } Outcome;

/* Room for the edges of so many bytes; a field and its end take two. */
static int make_room(Edges *edges, size_t size)
{
    if (size <= edges->room) return 1;
    size_t count = size / 2 + 1;
    uint32_t *more = realloc(edges->begins, 2 * count * sizeof *more);
    if (more == NULL) return 0;
    edges->begins = more;
    edges->ends = more + count;
    edges->room = size;
    return 1;
}

static Outcome take_block(Scan *scan, const uint8_t *text, const uint8_t *end, int64_t room)
{
    Edges edges = {NULL, NULL, 0, 0};
    Outcome outcome = TAKEN;
    while (text < end && outcome == TAKEN) {
        const uint8_t *stop = end - text > TILE ? text + TILE : end;
        while (stop > text && stop[-1] != '\n') stop--;
        if (stop == text) stop = (const uint8_t *)memchr(text, '\n', (size_t)(end - text)) + 1;
        size_t size = (size_t)(stop - text);
        if (size > UINT32_MAX)
            outcome = DOUBTFUL;
        else if (!make_room(&edges, size))
            outcome = NO_MEMORY;
        else if (!take_lines(scan, text, size, &edges, room))
            outcome = DOUBTFUL;
        text = stop;
    }
    free(edges.begins);
    return outcome;
}

/* -- called from Python */

/* A block begins and ends with a line feed; PADDING bytes follow it. */
static int hold_block(Column *column, PyObject *object)
{
    if (!hold(column, object, BYTE, 0)) return 0;
    Py_ssize_t size = length_of(column);
    const uint8_t *block = bytes_in(column);
    if (size >= 1 + PADDING && block[0] == '\n' && block[size - PADDING - 1] == '\n') return 1;
    PyErr_SetString(PyExc_ValueError, "a block begins and ends with a line feed, and is padded");
    return 0;
}

/* The columns of one field, all of the same length; returns how many were held, or -1. */
static int hold_field(Field *field, char kind, PyObject *columns, Py_ssize_t from, Column *held,
                      Py_ssize_t *room)
{
    int count = columns_of(kind);
    void **places[4] = {&field->first, &field->second, &field->third, &field->fourth};
    memset(field, 0, sizeof *field);
    field->kind = kind;
    if (count < 0 || from + count > PyTuple_Size(columns)) {
        PyErr_SetString(PyExc_ValueError, "not the columns that the kinds of fields need");
        return -1;
    }
    for (int number = 0; number < count; number++) {
        Kind type = kind == 'd' && number == 0   ? DOUBLE
                    : kind == 'n' && number == 2 ? UINT64
                                                 : INT64;
        if (!hold(&held[number], PyTuple_GetItem(columns, from + number), type, 1)) return -1;
        *places[number] = held[number].view.buf;
        if (*room < 0) *room = length_of(&held[number]);
        if (length_of(&held[number]) != *room) {
            PyErr_SetString(PyExc_ValueError, "columns of one length are needed");
            return -1;
        }
    }
    return count;
}

/* What was found: rows, whether bytes are unusual, and for each field how much was noted. */
static PyObject *found_in(const Scan *scan)
{
    PyObject *counts = PyTuple_New(scan->count);
    if (counts == NULL) return NULL;
    for (int number = 0; number < scan->count; number++) {
        PyObject *count = PyLong_FromLongLong(scan->fields[number].count);
        if (count == NULL) {
            Py_DECREF(counts);
            return NULL;
        }
        PyTuple_SetItem(counts, number, count);
    }
    return Py_BuildValue("(LiN)", (long long)scan->row, scan->seen.unusual != 0, counts);
}

static PyObject *scan_held(Scan *scan, const Column *block, const char *kinds, Py_ssize_t count,
                           PyObject *columns, Column *held)
{
    Py_ssize_t from = 0, room = -1;
    scan->block = bytes_in(block);
    scan->count = (int)count;
    for (Py_ssize_t number = 0; number < count; number++) {
        Field *field = &scan->fields[number];
        int taken = hold_field(field, kinds[number], columns, from, held + from, &room);
        if (taken < 0) return NULL;
        if (field->kind == 'l') scan->ends = field->first;
        if (field->kind == 'o') scan->offsets = field->first;
        from += taken;
    }
    if (from != PyTuple_Size(columns) || room < 0 || (scan->ends != NULL && scan->offsets == NULL)) {
        PyErr_SetString(PyExc_ValueError, "not the columns that the kinds of fields need");
        return NULL;
    }
    Outcome outcome;
    const uint8_t *end = scan->block + length_of(block) - PADDING;
    Py_BEGIN_ALLOW_THREADS
    outcome = take_block(scan, scan->block + 1, end, room);
    Py_END_ALLOW_THREADS
    if (outcome == NO_MEMORY) return PyErr_NoMemory();
    if (outcome == DOUBTFUL) Py_RETURN_NONE;
    return found_in(scan);
}

static PyObject *scan_lines(PyObject *self, PyObject *arguments)
{
    PyObject *object, *columns, *result = NULL;
    const char *kinds;
    Py_ssize_t count;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "Os#O!", &object, &kinds, &count, &PyTuple_Type, &columns))
        return NULL;
    if (count < 1 || count > MOST_FIELDS || PyTuple_Size(columns) > 4 * MOST_FIELDS) {
        PyErr_SetString(PyExc_ValueError, "too many fields, or none");
        return NULL;
    }
    Scan *scan = calloc(1, sizeof *scan);
    Column *held = calloc(ALL_COLUMNS, sizeof *held);
    if (scan == NULL || held == NULL)
        PyErr_NoMemory();
    else if (hold_block(&held[0], object))
        result = scan_held(scan, &held[0], kinds, count, columns, held + 1);
    if (held != NULL) release(held, ALL_COLUMNS);
    free(held);
    free(scan);
    return result;
}

/* -- where the last group of a block begins */

typedef struct {
    const uint8_t *begin;
    int64_t size;
} Name;

static inline int same_name(Name left, Name right)
{
    return left.size == right.size && memcmp(left.begin, right.begin, (size_t)left.size) == 0;
}

/* The names of two columns of a line; 0 if it is blank, a comment, or has other columns. */
static int names_in_line(const uint8_t *text, int64_t columns, int64_t first, int64_t second,
                         Name names[2])
{
    int64_t column = 0;
    for (;; column++) {
        while (*text <= ' ' && *text != '\n') text++;
        if (*text == '\n') break;
        if (column == 0 && *text == '#') return 0;
        const uint8_t *begin = text;
        while (*text > ' ') text++;
        if (column == first) names[0] = (Name){begin, text - begin};
        if (column == second) names[1] = (Name){begin, text - begin};
    }
    return column == columns;
}

static int64_t last_group_in(const uint8_t *block, int64_t end, int64_t columns, int64_t first,
                             int64_t second)
{
    Name last[2] = {{block, 0}, {block, 0}}, names[2] = {{block, 0}, {block, 0}};
    int64_t found = end;
    for (int64_t stop = end; stop > 1;) {
        int64_t begin = stop - 1;
        while (block[begin - 1] != '\n') begin--;
        stop = begin;
        if (!names_in_line(block + begin, columns, first, second, names)) continue;
        if (found == end) memcpy(last, names, sizeof last);
        if (!same_name(names[0], last[0]) || !same_name(names[1], last[1])) break;
        found = begin;
    }
    return found;
}

static PyObject *last_group(PyObject *self, PyObject *arguments)
{
    PyObject *object;
    Column block = {0};
    long long columns, first, second, found = 0;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OLLL", &object, &columns, &first, &second)) return NULL;
    int good = hold_block(&block, object);
    if (good && (first < 0 || first >= columns || second < 0 || second >= columns)) {
        PyErr_SetString(PyExc_ValueError, "there is no such column");
        good = 0;
    }
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        found = last_group_in(bytes_in(&block), length_of(&block) - PADDING, columns, first, second);
        Py_END_ALLOW_THREADS
    }
    release(&block, 1);
    return good ? PyLong_FromLongLong(found) : NULL;
}

static PyObject *count_lines(PyObject *self, PyObject *object)
{
    Column text = {0};
    uint64_t count = 0;
    (void)self;
    if (hold(&text, object, BYTE, 0)) {
        const uint8_t *bytes = bytes_in(&text);
        Py_ssize_t size = length_of(&text);
        Py_BEGIN_ALLOW_THREADS
        /* A byte holds the sum of 255 bytes: compilers turn the inner loop into wide words. */
        for (Py_ssize_t begin = 0; begin < size; begin += 4080) {
            uint8_t sums[16] = {0};
            Py_ssize_t end = size - begin < 4080 ? size : begin + 4080, place = begin;
            for (; place + 16 <= end; place += 16)
                for (int lane = 0; lane < 16; lane++) sums[lane] += bytes[place + lane] == '\n';
            for (; place < end; place++) count += bytes[place] == '\n';
            for (int lane = 0; lane < 16; lane++) count += sums[lane];
        }
        Py_END_ALLOW_THREADS
    }
    release(&text, 1);
    return PyErr_Occurred() ? NULL : PyLong_FromUnsignedLongLong(count);
}

#define SCAN_METHODS \
    {"scan_lines", scan_lines, METH_VARARGS, "Decode the columns of a block of lines."}, \
    {"last_group", last_group, METH_VARARGS, "Where the last group of lines begins."}, \
    {"count_lines", count_lines, METH_O, "How many line feeds there are."},
