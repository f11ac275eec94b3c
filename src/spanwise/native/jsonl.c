/* JSON lines: one pass over a block of lines, each a flat object whose names are known.

   Whatever is not plain (other names, a name twice, lists, objects, values of another type than
   their field has) ends the scan at its line; formats/json_lines.py then reads the block with care.
   Blocks end with a line feed, which ends every loop over the bytes of a line, and JSON_PADDING
   bytes follow. */

#define JSON_PADDING 8
#define JSON_MOST_FIELDS 60
#define JSON_LARGEST_POWER 400 /* Of ten: what is beyond is left to Python, written out or not. */

/* What the values of a field are: the numbers are those of formats/json_scan.py. */
typedef enum { JSON_IGNORED, JSON_NAME, JSON_WHOLE, JSON_DECIMAL } JsonKind;

typedef struct {
    const uint8_t *name;
    int64_t size;
    JsonKind kind;
    int64_t *start; /* Of names; also the values of whole numbers. */
    int64_t *end;
    double *decimal;
} JsonField;

/* A decimal of too many digits, or too large or small: left to Python, after the scan. */
typedef struct {
    double *place;
    int64_t start, end;
} HardDecimal;

typedef struct {
    const uint8_t *text;
    uint8_t *writable; /* The same, if escapes may be decoded where they are; else NULL. */
    int64_t end;
    int64_t longest_name;
    JsonField fields[JSON_MOST_FIELDS];
    int count;
    uint64_t *present, *given;
    int64_t *line, *position;
    Py_ssize_t room;
    uint8_t high; /* All bytes of names and texts, ored. */
    HardDecimal *hard;
    size_t hard_count, hard_room;
    int out_of_memory;
} JsonScan;

typedef struct {
    int64_t start, end; /* Without sign for the mantissa, with it for the text. */
    uint64_t mantissa;
    int64_t exponent;
    int negative, whole, long_mantissa;
} JsonNumber;

static inline int64_t json_blanks(const uint8_t *text, int64_t at)
{
    while (text[at] == ' ' || text[at] == '\t' || text[at] == '\r') at++;
    return at;
}

static inline int is_json_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/* Where a text without escapes that begins at `at` ends, at a quote; -1 if it does not. */
static inline int64_t json_text_end(JsonScan *scan, int64_t at)
{
    const uint8_t *text = scan->text;
    uint8_t high = 0;
    while (text[at] != '"') {
        if (text[at] < 0x20 || text[at] == '\\') return -1;
        high |= text[at++];
    }
    scan->high |= high;
    return at;
}

/* The number that four hexadecimal digits stand for; -1 if they are none. */
static int32_t json_code(const uint8_t *text, int64_t at)
{
    int32_t code = 0;
    for (int64_t place = at; place < at + 4; place++) {
        uint8_t byte = text[place], letter = (uint8_t)((byte | 0x20) - 'a');
        if (is_json_digit(byte))
            code = code * 16 + (byte - '0');
        else if (letter < 6)
            code = code * 16 + letter + 10;
        else
            return -1; /* Also at the line feed, before anything beyond it is read. */
    }
    return code;
}

/* Write a character as UTF-8; the place after it. Never longer than its escape. */
static int64_t put_json_character(uint8_t *text, int64_t to, uint32_t code)
{
    if (code < 0x80) {
        text[to++] = (uint8_t)code;
        return to;
    }
    if (code >= 0x10000) {
        text[to++] = (uint8_t)(0xF0 | code >> 18);
        text[to++] = (uint8_t)(0x80 | (code >> 12 & 0x3F));
        text[to++] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    } else if (code >= 0x800) {
        text[to++] = (uint8_t)(0xE0 | code >> 12);
        text[to++] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    } else {
        text[to++] = (uint8_t)(0xC0 | code >> 6);
    }
    text[to++] = (uint8_t)(0x80 | (code & 0x3F));
    return to;
}

/* Decode what follows the u of an escape; the place after it, -1 for NUL and half a pair. */
static int64_t json_unicode(uint8_t *text, int64_t at, int64_t *to)
{
    int32_t code = json_code(text, at);
    if (code <= 0 || (code >= 0xDC00 && code < 0xE000)) return -1;
    at += 4;
    if (code >= 0xD800 && code < 0xDC00) {
        if (text[at] != '\\' || text[at + 1] != 'u') return -1;
        int32_t second = json_code(text, at + 2);
        if (second < 0xDC00 || second > 0xDFFF) return -1;
        code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
        at += 6;
    }
    *to = put_json_character(text, *to, (uint32_t)code);
    return at;
}

/* Decode what follows a backslash; the place after it, -1 if it is no escape. */
static int64_t json_escape(uint8_t *text, int64_t at, int64_t *to)
{
    static const char spelled[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (text[at] == 'u') return json_unicode(text, at + 1, to);
    const char *place = text[at] ? strchr(spelled, text[at]) : NULL;
    if (place == NULL) return -1;
    text[(*to)++] = (uint8_t)meant[place - spelled];
    return at + 1;
}

/* The closing quote of a text with escapes, which are decoded where they are; `end` is then the end
   of the text. -1 if it is broken or nothing may be written. */
static int64_t json_decoded_end(JsonScan *scan, int64_t at, int64_t *end)
{
    uint8_t *text = scan->writable;
    if (text == NULL) return -1;
    *end = at;
    while (text[at] != '"') {
        if (text[at] < 0x20) return -1;
        if (text[at] == '\\') {
            at = json_escape(text, at + 1, end);
            if (at < 0) return -1;
        } else {
            scan->high |= text[at];
            text[(*end)++] = text[at++];
        }
    }
    return at;
}

/* Read the digits at `at` into the mantissa of a number; gives the place after them. */
static inline int64_t json_digits(const uint8_t *text, int64_t at, JsonNumber *number, int *digits)
{
    for (; is_json_digit(text[at]); at++) {
        if (*digits || text[at] != '0') ++*digits;
        if (*digits > MOST_DIGITS)
            number->long_mantissa = 1;
        else
            number->mantissa = number->mantissa * 10 + (uint64_t)(text[at] - '0');
    }
    return at;
}

/* The exponent after an e; the place after it, -1 if there is none. */
static int64_t json_exponent(const uint8_t *text, int64_t at, JsonNumber *number)
{
    int negative = text[at] == '-';
    if (negative || text[at] == '+') at++;
    if (!is_json_digit(text[at])) return -1;
    int64_t exponent = 0;
    for (; is_json_digit(text[at]); at++)
        if (exponent <= JSON_LARGEST_POWER) exponent = exponent * 10 + (text[at] - '0');
    number->exponent += negative ? -exponent : exponent;
    return at;
}

/* A number as JSON spells it; the place after it, -1 if there is none. */
static int64_t json_number(const uint8_t *text, int64_t at, JsonNumber *number)
{
    int digits = 0;
    *number = (JsonNumber){.start = at, .whole = 1, .negative = text[at] == '-'};
    if (number->negative) at++;
    if (!is_json_digit(text[at]) || (text[at] == '0' && is_json_digit(text[at + 1]))) return -1;
    at = json_digits(text, at, number, &digits);
    if (text[at] == '.') {
        int64_t dot = at++;
        at = json_digits(text, at, number, &digits);
        if (at == dot + 1) return -1;
        number->whole = 0;
        number->exponent = dot + 1 - at;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        number->whole = 0;
        at = json_exponent(text, at + 1, number);
    }
    number->end = at;
    return at;
}

static int put_json_whole(JsonField *field, Py_ssize_t row, const JsonNumber *number)
{
    if (!number->whole || number->long_mantissa || number->mantissa > INT64_MAX) return 0;
    int64_t value = (int64_t)number->mantissa;
    field->start[row] = number->negative ? -value : value;
    return 1;
}

static int leave_json_decimal(JsonScan *scan, double *place, const JsonNumber *number)
{
    if (scan->hard_count == scan->hard_room) {
        size_t room = scan->hard_room ? 2 * scan->hard_room : 256;
        HardDecimal *larger = realloc(scan->hard, room * sizeof *larger);
        if (larger == NULL) {
            scan->out_of_memory = 1;
            return 0;
        }
        scan->hard = larger;
        scan->hard_room = room;
    }
    scan->hard[scan->hard_count++] = (HardDecimal){place, number->start, number->end};
    return 1;
}

static int put_json_decimal(JsonScan *scan, JsonField *field, Py_ssize_t row, const JsonNumber *number)
{
    double *place = &field->decimal[row];
    if (number->whole) {
        if (number->long_mantissa) return 0;
        *place = (double)number->mantissa;
        /* A whole number has no negative zero. */
        if (number->negative && number->mantissa) *place = -*place;
        return 1;
    }
    if (number->long_mantissa || !scaled(number->mantissa, number->exponent, place))
        return leave_json_decimal(scan, place, number);
    if (number->negative) *place = -*place;
    return 1;
}

static inline int put_json_name(JsonScan *scan, JsonField *field, Py_ssize_t row, int64_t start,
                           int64_t end)
{
    if (end == start || end - start > scan->longest_name) return 0;
    field->start[row] = start;
    field->end[row] = end;
    return 1;
}

/* Identifiers may be whole numbers, which are then written out: as they are in the file. */
static int put_json_number(JsonScan *scan, JsonField *field, Py_ssize_t row, const JsonNumber *number)
{
    switch (field->kind) {
    case JSON_WHOLE:
        return put_json_whole(field, row, number);
    case JSON_DECIMAL:
        return put_json_decimal(scan, field, row, number);
    case JSON_NAME:
        return number->whole && !number->long_mantissa && !(number->negative && !number->mantissa)
               && put_json_name(scan, field, row, number->start, number->end);
    default:
        return !number->long_mantissa;
    }
}

/* What a field holds where nothing is given. */
static void put_json_nothing(JsonField *field, Py_ssize_t row)
{
    if (field->kind == JSON_DECIMAL) field->decimal[row] = Py_NAN;
    if (field->kind == JSON_NAME) field->end[row] = 0;
    if (field->kind == JSON_NAME || field->kind == JSON_WHOLE) field->start[row] = 0;
}

static inline int is_json_word(const uint8_t *text, int64_t at, const char *word, size_t size)
{
    return memcmp(text + at, word, size) == 0;
}

/* The value at `at`, put where it belongs; the place after it, -1 if it is not plain. */
static inline int64_t json_value(JsonScan *scan, JsonField *field, int64_t at, Py_ssize_t row,
                                 uint64_t bit)
{
    const uint8_t *text = scan->text;
    if (text[at] == '"') {
        int64_t end = json_text_end(scan, at + 1), quote = end;
        if (end < 0) quote = json_decoded_end(scan, at + 1, &end);
        if (quote < 0) return -1;
        if (field->kind == JSON_NAME) {
            if (!put_json_name(scan, field, row, at + 1, end)) return -1;
        } else if (field->kind != JSON_IGNORED) {
            return -1;
        }
        scan->given[row] |= bit;
        return quote + 1;
    }
    if (text[at] == '-' || is_json_digit(text[at])) {
        JsonNumber number;
        at = json_number(text, at, &number);
        if (at < 0 || !put_json_number(scan, field, row, &number)) return -1;
        scan->given[row] |= bit;
        return at;
    }
    if (is_json_word(text, at, "null", 4)) {
        put_json_nothing(field, row);
        return at + 4;
    }
    if (field->kind != JSON_IGNORED) return -1;
    if (is_json_word(text, at, "true", 4)) return at + 4;
    if (is_json_word(text, at, "false", 5)) return at + 5;
    return -1;
}

static inline int is_json_name_at(const JsonScan *scan, const JsonField *field, int64_t at)
{
    return field->size < scan->end - at && scan->text[at + field->size] == '"'
           && memcmp(scan->text + at, field->name, (size_t)field->size) == 0;
}

/* The field whose name begins at `at`; the expected one is looked at first. -1 if there is none. */
static inline int json_field(const JsonScan *scan, int64_t at, int expected)
{
    if (expected < scan->count && is_json_name_at(scan, &scan->fields[expected], at)) return expected;
    for (int number = 0; number < scan->count; number++)
        if (is_json_name_at(scan, &scan->fields[number], at)) return number;
    return -1;
}

/* The members of the object whose brace is before `at`; the place after it, -1 if not plain. */
static int64_t json_members(JsonScan *scan, int64_t at, Py_ssize_t row)
{
    const uint8_t *text = scan->text;
    uint64_t present = 0;
    int number = -1;
    scan->given[row] = 0;
    for (;;) {
        at = json_blanks(text, at);
        if (text[at] != '"') return -1;
        number = json_field(scan, at + 1, number + 1);
        if (number < 0 || present >> number & 1) return -1;
        present |= UINT64_C(1) << number;
        at = json_blanks(text, at + scan->fields[number].size + 2);
        if (text[at] != ':') return -1;
        at = json_blanks(text, at + 1);
        at = json_value(scan, &scan->fields[number], at, row, UINT64_C(1) << number);
        if (at < 0) return -1;
        at = json_blanks(text, at);
        if (text[at] == '}') break;
        if (text[at++] != ',') return -1;
    }
    scan->present[row] = present;
    for (int other = 0; other < scan->count; other++)
        if (!(present >> other & 1)) put_json_nothing(&scan->fields[other], row);
    return at + 1;
}

/* The line feed that ends a comment; -1 if there is a NUL in it. */
static int64_t json_comment_end(JsonScan *scan, int64_t at)
{
    for (; scan->text[at] != '\n'; at++) {
        if (scan->text[at] == 0) return -1;
        scan->high |= scan->text[at];
    }
    return at;
}

/* All lines from `at` on. Counts rows and lines; gives -1, or the beginning of the line that is
   not plain. */
static int64_t json_lines(JsonScan *scan, int64_t at, int64_t *line, Py_ssize_t *rows)
{
    const uint8_t *text = scan->text;
    while (at < scan->end) {
        int64_t begin = at;
        at = json_blanks(text, at);
        if (text[at] == '{') {
            if (*rows == scan->room) return begin;
            at = json_members(scan, at + 1, *rows);
            if (at < 0) return begin;
            scan->line[*rows] = *line;
            scan->position[(*rows)++] = begin;
            at = json_blanks(text, at);
        } else if (text[at] == '#') {
            at = json_comment_end(scan, at);
            if (at < 0) return begin;
        }
        if (text[at] != '\n') return begin;
        at++;
        ++*line;
    }
    return -1;
}

/* The decimals that were left to Python; 0 with an exception set if one is not a number. */
static int settle_json_decimals(JsonScan *scan)
{
    for (size_t number = 0; number < scan->hard_count; number++) {
        HardDecimal *hard = &scan->hard[number];
        PyObject *spelling = PyBytes_FromStringAndSize((const char *)scan->text + hard->start,
                                                       (Py_ssize_t)(hard->end - hard->start));
        if (spelling == NULL) return 0;
        *hard->place = PyOS_string_to_double(PyBytes_AsString(spelling), NULL, NULL);
        Py_DECREF(spelling);
        if (*hard->place == -1.0 && PyErr_Occurred()) return 0;
    }
    return 1;
}

/* -- what Python hands over */

typedef struct {
    Column held[5 + 2 * JSON_MOST_FIELDS];
    int count;
    JsonScan scan;
} JsonCall;

/* Hold a column with room for all rows; NULL with an exception set if it is another one. */
static Column *hold_json_rows(JsonCall *call, PyObject *object, Kind kind)
{
    Column *column = &call->held[call->count++];
    if (!hold(column, object, kind, 1)) return NULL;
    if (length_of(column) < call->scan.room) {
        PyErr_SetString(PyExc_ValueError, "a column has not room for all rows");
        return NULL;
    }
    return column;
}

static int hold_json_field(JsonCall *call, JsonField *field, PyObject *columns)
{
    Py_ssize_t expected = field->kind == JSON_IGNORED ? 0 : field->kind == JSON_NAME ? 2 : 1;
    if (!PyTuple_Check(columns) || PyTuple_Size(columns) != expected) {
        PyErr_SetString(PyExc_ValueError, "a field has another number of columns than its kind");
        return 0;
    }
    if (expected == 0) return 1;
    Column *first
        = hold_json_rows(call, PyTuple_GetItem(columns, 0), field->kind == JSON_DECIMAL ? DOUBLE : INT64);
    if (first == NULL) return 0;
    if (field->kind == JSON_DECIMAL)
        field->decimal = doubles(first);
    else
        field->start = integers(first);
    if (expected == 2) {
        Column *second = hold_json_rows(call, PyTuple_GetItem(columns, 1), INT64);
        if (second == NULL) return 0;
        field->end = integers(second);
    }
    return 1;
}

/* A field is a tuple of its name (UTF-8), its kind, and its columns. */
static int read_json_field(JsonCall *call, JsonField *field, PyObject *given)
{
    PyObject *name, *columns;
    int kind;
    char *text;
    Py_ssize_t size;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "a field must be a tuple");
        return 0;
    }
    if (!PyArg_ParseTuple(given, "SiO", &name, &kind, &columns)
        || PyBytes_AsStringAndSize(name, &text, &size) < 0)
        return 0;
    if (kind < JSON_IGNORED || kind > JSON_DECIMAL) {
        PyErr_SetString(PyExc_ValueError, "a field has an unknown kind");
        return 0;
    }
    *field = (JsonField){(const uint8_t *)text, size, (JsonKind)kind, NULL, NULL, NULL};
    return hold_json_field(call, field, columns);
}

static int read_json_fields(JsonCall *call, PyObject *fields)
{
    Py_ssize_t count = PyTuple_Size(fields);
    if (count > JSON_MOST_FIELDS) {
        PyErr_SetString(PyExc_ValueError, "too many fields");
        return 0;
    }
    for (Py_ssize_t number = 0; number < count; number++)
        if (!read_json_field(call, &call->scan.fields[number], PyTuple_GetItem(fields, number)))
            return 0;
    call->scan.count = (int)count;
    return 1;
}

/* The columns that all rows have: which names they have and give, their lines, where they begin. */
static int read_json_rows(JsonCall *call, PyObject *present, PyObject *given, PyObject *line,
                            PyObject *position)
{
    JsonScan *scan = &call->scan;
    Column *first = hold_json_rows(call, present, UINT64);
    Column *second = first ? hold_json_rows(call, given, UINT64) : NULL;
    Column *third = second ? hold_json_rows(call, line, INT64) : NULL;
    Column *fourth = third ? hold_json_rows(call, position, INT64) : NULL;
    if (fourth == NULL) return 0;
    scan->present = keys_in(first);
    scan->given = keys_in(second);
    scan->line = integers(third);
    scan->position = integers(fourth);
    return 1;
}

static int read_json_block(JsonCall *call, PyObject *block, int decodes, long long begin)
{
    Column *column = &call->held[call->count++];
    if (!hold(column, block, BYTE, decodes)) return 0;
    call->scan.text = bytes_in(column);
    call->scan.writable = decodes ? bytes_in(column) : NULL;
    if (begin < 0 || call->scan.end < begin || call->scan.end > length_of(column) - JSON_PADDING
        || (call->scan.end > begin && call->scan.text[call->scan.end - 1] != '\n')) {
        PyErr_SetString(PyExc_ValueError, "a block must end with a line feed and be padded");
        return 0;
    }
    return 1;
}

static PyObject *json_scanned(JsonCall *call, int64_t begin, int64_t line)
{
    Py_ssize_t rows = 0;
    int64_t stopped;
    Py_BEGIN_ALLOW_THREADS
    stopped = json_lines(&call->scan, begin, &line, &rows);
    Py_END_ALLOW_THREADS
    if (call->scan.out_of_memory) return PyErr_NoMemory();
    if (stopped < 0 && !settle_json_decimals(&call->scan)) return NULL;
    return Py_BuildValue("nLLO", rows, (long long)line, (long long)stopped,
                         call->scan.high < 0x80 ? Py_True : Py_False);
}

static PyObject *scan_json(PyObject *self, PyObject *arguments)
{
    PyObject *block, *fields, *present, *given, *line, *position, *result = NULL;
    long long begin, end, first_line, longest;
    Py_ssize_t room;
    int decodes;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OpLLLLnO!OOOO", &block, &decodes, &begin, &end, &first_line,
                          &longest, &room, &PyTuple_Type, &fields, &present, &given, &line,
                          &position))
        return NULL;
    if (room < 0) {
        PyErr_SetString(PyExc_ValueError, "a column has not room for all rows");
        return NULL;
    }
    JsonCall *call = calloc(1, sizeof *call);
    if (call == NULL) return PyErr_NoMemory();
    call->scan.end = end;
    call->scan.longest_name = longest;
    call->scan.room = room;
    if (read_json_block(call, block, decodes, begin) && read_json_rows(call, present, given, line, position)
        && read_json_fields(call, fields))
        result = json_scanned(call, begin, first_line);
    release(call->held, call->count);
    free(call->scan.hard);
    free(call);
    return result;
}

#define JSONL_METHODS \
    {"scan_json", scan_json, METH_VARARGS, "Lines of flat JSON objects as columns."},
