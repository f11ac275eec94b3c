/* Python objects and files of assessments as columns, and the order of pairs of names.

   Objects are taken over only if they are exactly what is expected: dictionaries, lists and tuples
   of text, whole numbers and floats. No Python code runs while they are walked through, so nothing
   can change under the walk. Everything else is left to the careful reader in Python. */

#include <limits.h>
#include <stdio.h>

/* -- columns that grow */

typedef struct {
    char *data;
    size_t size, room;
} Grown;

/* Room for some more bytes; NULL if there is no memory. */
static char *grown_room(Grown *grown, size_t bytes)
{
    if (bytes > grown->room - grown->size) {
        size_t room = grown->room ? grown->room : 512;
        while (room - grown->size < bytes) {
            if (room > SIZE_MAX / 2) return NULL;
            room *= 2;
        }
        char *data = realloc(grown->data, room);
        if (!data) return NULL;
        grown->data = data;
        grown->room = room;
    }
    char *place = grown->data + grown->size;
    grown->size += bytes;
    return place;
}

static int grow_bytes(Grown *grown, const void *bytes, size_t size)
{
    char *place = grown_room(grown, size);
    if (!place) return 0;
    memcpy(place, bytes, size);
    return 1;
}

static int grow_integer(Grown *grown, int64_t value) { return grow_bytes(grown, &value, 8); }
static int grow_double(Grown *grown, double value) { return grow_bytes(grown, &value, 8); }
static int grow_byte(Grown *grown, uint8_t value) { return grow_bytes(grown, &value, 1); }

static void drop_grown(Grown *several, int count)
{
    for (int number = 0; number < count; number++) free(several[number].data);
}

static PyObject *bytearray_of(const Grown *grown)
{
    return PyByteArray_FromStringAndSize(grown->data ? grown->data : "", (Py_ssize_t)grown->size);
}

/* A tuple of a first object, which it takes over, and of columns; NULL with an exception set. */
static PyObject *tuple_of(PyObject *first, const Grown *several, int count)
{
    int shift = first != NULL;
    PyObject *result = PyTuple_New(count + shift);
    if (!result) {
        Py_XDECREF(first);
        return NULL;
    }
    if (first) PyTuple_SetItem(result, 0, first);
    for (int number = 0; number < count; number++) {
        PyObject *column = bytearray_of(&several[number]);
        if (!column) {
            Py_DECREF(result);
            return NULL;
        }
        PyTuple_SetItem(result, number + shift, column);
    }
    return result;
}

/* -- values of objects */

/* How a step of a walk ended. */
typedef enum { STEP_FAILED = -1, STEP_DOUBTFUL = 0, STEP_FINE = 1 } Step;

#define PROCEED(step)                    \
    do {                                 \
        Step ended = (step);             \
        if (ended != STEP_FINE) return ended; \
    } while (0)
#define KEEP(stored)                   \
    do {                               \
        if (!(stored)) return STEP_FAILED;  \
    } while (0)

static Step whole_of(PyObject *object, int64_t *value)
{
    int overflow = 0;
    if (!PyLong_CheckExact(object)) return STEP_DOUBTFUL;
    long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow || number == LLONG_MIN) return STEP_DOUBTFUL;
    *value = number;
    return STEP_FINE;
}

/* A float or whole number; NaN is doubtful. */
static Step double_of(PyObject *object, double *value)
{
    if (PyFloat_CheckExact(object)) {
        *value = PyFloat_AsDouble(object);
    } else if (PyLong_CheckExact(object)) {
        *value = PyLong_AsDouble(object);
        if (*value == -1.0 && PyErr_Occurred()) {
            PyErr_Clear();
            return STEP_DOUBTFUL;
        }
    } else {
        return STEP_DOUBTFUL;
    }
    return *value == *value ? STEP_FINE : STEP_DOUBTFUL;
}

/* NamesRead one behind the other, and the edges between them. */
typedef struct {
    Grown text, edges;
    Py_ssize_t longest;
} NamesRead;

/* The bytes of a name that is text: not empty, without NUL, not too long. */
static Step utf8_of(PyObject *object, Py_ssize_t longest, const char **text, Py_ssize_t *size)
{
    *text = PyUnicode_AsUTF8AndSize(object, size);
    if (!*text) {
        if (PyErr_ExceptionMatches(PyExc_MemoryError)) return STEP_FAILED;
        PyErr_Clear();
        return STEP_DOUBTFUL;
    }
    if (*size == 0 || *size > longest || memchr(*text, 0, (size_t)*size)) return STEP_DOUBTFUL;
    return STEP_FINE;
}

/* Take over a name; whole numbers are written out. */
static Step put_document(NamesRead *names, PyObject *object)
{
    if (PyUnicode_CheckExact(object)) {
        const char *text;
        Py_ssize_t size;
        PROCEED(utf8_of(object, names->longest, &text, &size));
        KEEP(grow_bytes(&names->text, text, (size_t)size));
    } else {
        int64_t number;
        char digits[24];
        PROCEED(whole_of(object, &number));
        int size = snprintf(digits, sizeof digits, "%lld", (long long)number);
        KEEP(grow_bytes(&names->text, digits, (size_t)size));
    }
    KEEP(grow_integer(&names->edges, (int64_t)names->text.size));
    return STEP_FINE;
}

/* A topic's name as text, appended to a list. */
static Step put_topic(PyObject *topics, PyObject *object, Py_ssize_t longest)
{
    if (PyUnicode_CheckExact(object)) {
        const char *text;
        Py_ssize_t size;
        PROCEED(utf8_of(object, longest, &text, &size));
        return PyList_Append(topics, object) < 0 ? STEP_FAILED : STEP_FINE;
    }
    int64_t number;
    PROCEED(whole_of(object, &number));
    PyObject *name = PyUnicode_FromFormat("%lld", (long long)number);
    if (!name) return STEP_FAILED;
    int failed = PyList_Append(topics, name) < 0;
    Py_DECREF(name);
    return failed ? STEP_FAILED : STEP_FINE;
}

/* The number of items of an exact list or tuple; -1 for anything else. */
static Py_ssize_t items_in(PyObject *object)
{
    if (PyTuple_CheckExact(object)) return PyTuple_Size(object);
    return PyList_CheckExact(object) ? PyList_Size(object) : -1;
}

static PyObject *item_at(PyObject *object, Py_ssize_t place)
{
    return PyTuple_CheckExact(object) ? PyTuple_GetItem(object, place)
                                      : PyList_GetItem(object, place);
}

/* Two items as the start and the end of a range. */
static Step range_of(PyObject *object, Py_ssize_t place, int64_t *start, int64_t *end)
{
    PROCEED(whole_of(item_at(object, place), start));
    PROCEED(whole_of(item_at(object, place + 1), end));
    return *start >= 0 && *start < *end ? STEP_FINE : STEP_DOUBTFUL;
}

/* -- the answers of a run: {topic: [(document, start, end, score)]}, {topic: {document: ...}} */

enum { EXTENT_RANGE = 0, EXTENT_WHOLE = 1, EXTENT_NOTHING = 2 };
enum { ANSWER_OFFSETS, ANSWER_NAMES, ANSWER_EDGES, ANSWER_EXTENTS, ANSWER_STARTS, ANSWER_ENDS, ANSWER_SCORES, COLUMNS_OF_ANSWERS };

typedef struct {
    PyObject *topics;
    NamesRead documents;
    Grown offsets, extent, start, end, score;
    int64_t count;
} AnswersRead;

static Step put_answer(AnswersRead *answers, PyObject *document, uint8_t extent, int64_t start,
                       int64_t end, PyObject *score)
{
    PROCEED(put_document(&answers->documents, document));
    KEEP(grow_byte(&answers->extent, extent));
    KEEP(grow_integer(&answers->start, start) && grow_integer(&answers->end, end));
    if (score) {
        double value;
        PROCEED(double_of(score, &value));
        KEEP(grow_double(&answers->score, value));
    }
    answers->count++;
    /* All answers have a score or none has. */
    size_t scored = answers->score.size / 8;
    return scored == 0 || scored == (size_t)answers->count ? STEP_FINE : STEP_DOUBTFUL;
}

static Step take_answer(AnswersRead *answers, PyObject *answer)
{
    if (PyUnicode_CheckExact(answer))
        return put_answer(answers, answer, EXTENT_WHOLE, 0, 0, NULL);
    Py_ssize_t size = items_in(answer);
    int64_t start, end;
    if (size != 3 && size != 4) return STEP_DOUBTFUL;
    PROCEED(range_of(answer, 1, &start, &end));
    return put_answer(answers, item_at(answer, 0), EXTENT_RANGE, start, end,
                      size == 4 ? item_at(answer, 3) : NULL);
}

/* What is returned of one document: ranges, nothing, or all of it with a score. */
static Step take_parts(AnswersRead *answers, PyObject *document, PyObject *parts)
{
    Py_ssize_t count = items_in(parts);
    if (count < 0) return put_answer(answers, document, EXTENT_WHOLE, 0, 0, parts);
    if (count == 0) return put_answer(answers, document, EXTENT_NOTHING, 0, 0, NULL);
    for (Py_ssize_t place = 0; place < count; place++) {
        PyObject *part = item_at(parts, place);
        Py_ssize_t size = items_in(part);
        int64_t start, end;
        if (size != 2 && size != 3) return STEP_DOUBTFUL;
        PROCEED(range_of(part, 0, &start, &end));
        PROCEED(put_answer(answers, document, EXTENT_RANGE, start, end,
                           size == 3 ? item_at(part, 2) : NULL));
    }
    return STEP_FINE;
}

static Step take_answers(AnswersRead *answers, PyObject *value)
{
    if (PyDict_CheckExact(value)) {
        PyObject *document, *parts;
        Py_ssize_t place = 0;
        while (PyDict_Next(value, &place, &document, &parts))
            PROCEED(take_parts(answers, document, parts));
        return STEP_FINE;
    }
    Py_ssize_t count = items_in(value);
    if (count < 0) return STEP_DOUBTFUL;
    for (Py_ssize_t place = 0; place < count; place++)
        PROCEED(take_answer(answers, item_at(value, place)));
    return STEP_FINE;
}

static Step walk_answers(AnswersRead *answers, PyObject *data)
{
    PyObject *topic, *value;
    Py_ssize_t place = 0;
    KEEP(grow_integer(&answers->offsets, 0) && grow_integer(&answers->documents.edges, 0));
    while (PyDict_Next(data, &place, &topic, &value)) {
        int64_t before = answers->count;
        PROCEED(take_answers(answers, value));
        if (answers->count == before) continue;
        PROCEED(put_topic(answers->topics, topic, answers->documents.longest));
        KEEP(grow_integer(&answers->offsets, answers->count));
    }
    char *padding = grown_room(&answers->documents.text, 8);
    if (!padding) return STEP_FAILED;
    memset(padding, 0, 8);
    return answers->count ? STEP_FINE : STEP_DOUBTFUL;
}

/* What a walk came to: its columns, None where Python has to look, or an exception. */
static PyObject *walked(Step step, PyObject *topics, const Grown *columns, int count)
{
    if (step == STEP_FINE) {
        Py_INCREF(topics);
        return tuple_of(topics, columns, count);
    }
    if (step == STEP_DOUBTFUL) Py_RETURN_NONE;
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
}

static PyObject *answers(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *data;
    AnswersRead found = {0};
    if (!PyArg_ParseTuple(arguments, "On", &data, &found.documents.longest)) return NULL;
    if (!PyDict_CheckExact(data)) Py_RETURN_NONE;
    found.topics = PyList_New(0);
    if (!found.topics) return NULL;
    Step step = walk_answers(&found, data);
    Grown columns[COLUMNS_OF_ANSWERS] = {
        [ANSWER_OFFSETS] = found.offsets, [ANSWER_NAMES] = found.documents.text,
        [ANSWER_EDGES] = found.documents.edges, [ANSWER_EXTENTS] = found.extent,
        [ANSWER_STARTS] = found.start, [ANSWER_ENDS] = found.end, [ANSWER_SCORES] = found.score,
    };
    PyObject *result = walked(step, found.topics, columns, COLUMNS_OF_ANSWERS);
    drop_grown(columns, COLUMNS_OF_ANSWERS);
    Py_DECREF(found.topics);
    return result;
}

/* -- judgements: {topic: {document: [(start, end)]}}, {topic: {document: grade}} */

enum {
    JUDGED_OFFSETS, JUDGED_NAMES, JUDGED_EDGES, JUDGED_WHOLES, JUDGED_GRADES,
    RANGE_OWNERS, RANGE_STARTS, RANGE_ENDS, RANGE_GRADES, COLUMNS_OF_JUDGEMENTS
};

typedef struct {
    PyObject *topics;
    NamesRead documents;
    Grown offsets, whole, whole_grade, owner, start, end, grade;
    int64_t count;
} JudgementsRead;

static Step put_grade(JudgementsRead *judged, int64_t grade)
{
    KEEP(grow_integer(&judged->whole, judged->count) && grow_integer(&judged->whole_grade, grade));
    return STEP_FINE;
}

static Step take_judgement(JudgementsRead *judged, PyObject *document, PyObject *said)
{
    Py_ssize_t count = items_in(said);
    int64_t grade = 0;
    PROCEED(put_document(&judged->documents, document));
    if (count <= 0) {
        if (count < 0) PROCEED(whole_of(said, &grade));
        PROCEED(put_grade(judged, grade));
    }
    for (Py_ssize_t place = 0; place < count; place++) {
        PyObject *part = item_at(said, place);
        Py_ssize_t size = items_in(part);
        int64_t start, end;
        grade = 1;
        if (size != 2 && size != 3) return STEP_DOUBTFUL;
        PROCEED(range_of(part, 0, &start, &end));
        if (size == 3) PROCEED(whole_of(item_at(part, 2), &grade));
        KEEP(grow_integer(&judged->owner, judged->count) && grow_integer(&judged->start, start));
        KEEP(grow_integer(&judged->end, end) && grow_integer(&judged->grade, grade));
    }
    judged->count++;
    return STEP_FINE;
}

static Step walk_judgements(JudgementsRead *judged, PyObject *data)
{
    PyObject *topic, *documents, *document, *said;
    Py_ssize_t place = 0;
    KEEP(grow_integer(&judged->offsets, 0) && grow_integer(&judged->documents.edges, 0));
    while (PyDict_Next(data, &place, &topic, &documents)) {
        int64_t before = judged->count;
        Py_ssize_t inner = 0;
        if (!PyDict_CheckExact(documents)) return STEP_DOUBTFUL;
        while (PyDict_Next(documents, &inner, &document, &said))
            PROCEED(take_judgement(judged, document, said));
        if (judged->count == before) continue;
        PROCEED(put_topic(judged->topics, topic, judged->documents.longest));
        KEEP(grow_integer(&judged->offsets, judged->count));
    }
    char *padding = grown_room(&judged->documents.text, 8);
    if (!padding) return STEP_FAILED;
    memset(padding, 0, 8);
    return judged->count ? STEP_FINE : STEP_DOUBTFUL;
}

static PyObject *judgements(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *data;
    JudgementsRead found = {0};
    if (!PyArg_ParseTuple(arguments, "On", &data, &found.documents.longest)) return NULL;
    if (!PyDict_CheckExact(data)) Py_RETURN_NONE;
    found.topics = PyList_New(0);
    if (!found.topics) return NULL;
    Step step = walk_judgements(&found, data);
    Grown columns[COLUMNS_OF_JUDGEMENTS] = {
        [JUDGED_OFFSETS] = found.offsets, [JUDGED_NAMES] = found.documents.text,
        [JUDGED_EDGES] = found.documents.edges, [JUDGED_WHOLES] = found.whole,
        [JUDGED_GRADES] = found.whole_grade, [RANGE_OWNERS] = found.owner,
        [RANGE_STARTS] = found.start, [RANGE_ENDS] = found.end, [RANGE_GRADES] = found.grade,
    };
    PyObject *result = walked(step, found.topics, columns, COLUMNS_OF_JUDGEMENTS);
    drop_grown(columns, COLUMNS_OF_JUDGEMENTS);
    Py_DECREF(found.topics);
    return result;
}

/* -- files of assessments, columns separated by runs of blanks */

enum {
    PAIR_LINES, PAIR_TOPIC_STARTS, PAIR_TOPIC_ENDS, PAIR_DOCUMENT_STARTS, PAIR_DOCUMENT_ENDS, QRELS_GRADES, QRELS_COLUMNS
};
enum {
    FOL_RELEVANT = QRELS_GRADES, FOL_SIZES, FOL_POINTS, FOL_OWNERS, FOL_STARTS, FOL_ENDS, FOL_COLUMNS
};
#define QRELS_DIGITS 18

typedef struct {
    const uint8_t *at, *end;
} Unread;

/* The next field of a line, as what lies between at and the result; NULL at the end of the line. */
static const uint8_t *next_word(Unread *text)
{
    while (text->at < text->end && *text->at <= ' ' && *text->at != '\n') text->at++;
    if (text->at == text->end || *text->at == '\n') return NULL;
    const uint8_t *begin = text->at;
    while (text->at < text->end && *text->at > ' ') text->at++;
    return begin;
}

/* Digits alone, few enough for 64 bits. */
static int digits_between(const uint8_t *begin, const uint8_t *end, int64_t *value)
{
    int64_t number = 0;
    if (begin == end || end - begin > QRELS_DIGITS) return 0;
    for (; begin < end; begin++) {
        if (*begin < '0' || *begin > '9') return 0;
        number = 10 * number + (*begin - '0');
    }
    *value = number;
    return 1;
}

/* The next field as a whole number with one of these signs; 0 if there is none or it is no such. */
static int next_number(Unread *text, const char *signs, int64_t *value)
{
    const uint8_t *begin = next_word(text);
    if (!begin) return 0;
    int signed_ = *begin == '-' || *begin == '+';
    if (signed_ && !strchr(signs, *begin)) return 0;
    if (!digits_between(begin + signed_, text->at, value)) return 0;
    if (*begin == '-') *value = -*value;
    return 1;
}

static Step put_span(Grown *start, Grown *end, Unread *text, const uint8_t *base)
{
    const uint8_t *begin = next_word(text);
    if (!begin) return STEP_DOUBTFUL;
    KEEP(grow_integer(start, begin - base) && grow_integer(end, text->at - base));
    return STEP_FINE;
}

/* What every line begins with: topic, something, document. */
static Step put_pair(Grown *columns, Unread *text, const uint8_t *base, int64_t line)
{
    KEEP(grow_integer(&columns[PAIR_LINES], line));
    PROCEED(put_span(&columns[PAIR_TOPIC_STARTS], &columns[PAIR_TOPIC_ENDS], text, base));
    if (!next_word(text)) return STEP_DOUBTFUL;
    return put_span(&columns[PAIR_DOCUMENT_STARTS], &columns[PAIR_DOCUMENT_ENDS], text, base);
}

static Step put_qrels_line(Grown *columns, Unread *text, const uint8_t *base, int64_t line)
{
    int64_t grade;
    PROCEED(put_pair(columns, text, base, line));
    if (!next_number(text, "+-", &grade)) return STEP_DOUBTFUL;
    KEEP(grow_integer(&columns[QRELS_GRADES], grade));
    return next_word(text) ? STEP_DOUBTFUL : STEP_FINE;
}

/* A range offset:length between two places of the text. */
static Step put_fol_range(Grown *columns, const uint8_t *begin, const uint8_t *end, int64_t owner)
{
    int64_t offset, length;
    const uint8_t *colon = memchr(begin, ':', (size_t)(end - begin));
    if (!colon || !digits_between(begin, colon, &offset)) return STEP_DOUBTFUL;
    if (!digits_between(colon + 1, end, &length) || !length) return STEP_DOUBTFUL;
    KEEP(grow_integer(&columns[FOL_OWNERS], owner) && grow_integer(&columns[FOL_STARTS], offset));
    KEEP(grow_integer(&columns[FOL_ENDS], offset + length));
    return STEP_FINE;
}

static Step put_fol_line(Grown *columns, Unread *text, const uint8_t *base, int64_t line)
{
    int64_t relevant, size, point = -1;
    int64_t owner = (int64_t)(columns[PAIR_LINES].size / 8);
    PROCEED(put_pair(columns, text, base, line));
    if (!next_number(text, "", &relevant) || !next_number(text, "", &size)) return STEP_DOUBTFUL;
    Unread before = *text;
    if (next_word(text)) {
        *text = before;
        if (!next_number(text, "-", &point) || point < -1) return STEP_DOUBTFUL;
    }
    KEEP(grow_integer(&columns[FOL_RELEVANT], relevant) && grow_integer(&columns[FOL_SIZES], size));
    KEEP(grow_integer(&columns[FOL_POINTS], point));
    for (const uint8_t *begin = next_word(text); begin; begin = next_word(text))
        PROCEED(put_fol_range(columns, begin, text->at, owner));
    return STEP_FINE;
}

typedef Step (*PutLine)(Grown *columns, Unread *text, const uint8_t *base, int64_t line);

/* All lines but blank ones and comments; a line feed that is not in the file comes first. */
static Step scan_assessments(const uint8_t *base, Py_ssize_t size, PutLine put, Grown *columns)
{
    Unread text = {base, base + size};
    for (int64_t line = 0; text.at < text.end; line++) {
        const uint8_t *begin = next_word(&text);
        if (begin && *begin == '#') {
            const uint8_t *newline = memchr(begin, '\n', (size_t)(text.end - begin));
            text.at = newline ? newline : text.end;
        } else if (begin) {
            text.at = begin;
            PROCEED(put(columns, &text, base, line));
        }
        if (text.at < text.end) text.at++;
    }
    return STEP_FINE;
}

static PyObject *scanned_assessments(PyObject *arguments, PutLine put, int count)
{
    PyObject *object;
    Column text;
    Grown columns[FOL_COLUMNS] = {{0}};
    Step step;
    if (!PyArg_ParseTuple(arguments, "O", &object)) return NULL;
    if (!hold(&text, object, BYTE, 0)) {
        release(&text, 1);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    step = scan_assessments(bytes_in(&text), length_of(&text), put, columns);
    Py_END_ALLOW_THREADS
    release(&text, 1);
    PyObject *result = NULL;
    if (step == STEP_FINE) {
        result = tuple_of(NULL, columns, count);
    } else if (step == STEP_DOUBTFUL) {
        Py_INCREF(Py_None);
        result = Py_None;
    } else {
        PyErr_NoMemory();
    }
    drop_grown(columns, FOL_COLUMNS);
    return result;
}

static PyObject *scan_qrels(PyObject *self, PyObject *arguments)
{
    (void)self;
    return scanned_assessments(arguments, put_qrels_line, QRELS_COLUMNS);
}

static PyObject *scan_fol(PyObject *self, PyObject *arguments)
{
    (void)self;
    return scanned_assessments(arguments, put_fol_line, FOL_COLUMNS);
}

/* -- the order of pairs of names */

typedef struct {
    const uint8_t *text;
    const int64_t *start, *end;
} NameColumn;

typedef struct {
    uint64_t topic, document;
    int64_t row;
} NamedPair;

/* The first eight bytes of a name, the first counting most. */
static uint64_t prefix_of(const NameColumn *names, int64_t row)
{
    const uint8_t *text = names->text + names->start[row];
    int64_t size = names->end[row] - names->start[row];
    uint64_t prefix = 0;
    for (int64_t place = 0; place < 8; place++)
        prefix = prefix << 8 | (place < size ? text[place] : 0);
    return prefix;
}

/* Compare names whose first eight bytes are the same. */
static int compare_rest(const NameColumn *names, int64_t left, int64_t right)
{
    int64_t left_size = names->end[left] - names->start[left];
    int64_t right_size = names->end[right] - names->start[right];
    int64_t common = left_size < right_size ? left_size : right_size;
    int order = 0;
    if (common > 8)
        order = memcmp(names->text + names->start[left] + 8,
                       names->text + names->start[right] + 8, (size_t)(common - 8));
    return order ? order : (left_size > right_size) - (left_size < right_size);
}

static int is_after(const NameColumn *names, const NamedPair *left, const NamedPair *right)
{
    if (left->topic != right->topic) return left->topic > right->topic;
    int order = compare_rest(&names[0], left->row, right->row);
    if (order) return order > 0;
    if (left->document != right->document) return left->document > right->document;
    return compare_rest(&names[1], left->row, right->row) > 0;
}

#define FEW_PAIRS 8

static void sort_few(const NameColumn *names, NamedPair *pairs, Py_ssize_t count)
{
    for (Py_ssize_t next = 1; next < count; next++) {
        NamedPair pair = pairs[next];
        Py_ssize_t place = next;
        for (; place > 0 && is_after(names, &pairs[place - 1], &pair); place--)
            pairs[place] = pairs[place - 1];
        pairs[place] = pair;
    }
}

static void merge_pairs(const NameColumn *names, NamedPair *pairs, NamedPair *spare, Py_ssize_t middle,
                  Py_ssize_t count)
{
    /* What is in order already, as most files are, costs one comparison. */
    if (middle >= count || !is_after(names, &pairs[middle - 1], &pairs[middle])) return;
    memcpy(spare, pairs, (size_t)middle * sizeof *pairs);
    Py_ssize_t left = 0, right = middle, place = 0;
    while (left < middle && right < count)
        pairs[place++] = is_after(names, &spare[left], &pairs[right]) ? pairs[right++]
                                                                      : spare[left++];
    memcpy(&pairs[place], &spare[left], (size_t)(middle - left) * sizeof *pairs);
}

static void sort_named(const NameColumn *names, NamedPair *pairs, NamedPair *spare,
                       Py_ssize_t count)
{
    for (Py_ssize_t begin = 0; begin < count; begin += FEW_PAIRS)
        sort_few(names, pairs + begin, count - begin < FEW_PAIRS ? count - begin : FEW_PAIRS);
    for (Py_ssize_t size = FEW_PAIRS; size < count; size *= 2)
        for (Py_ssize_t begin = 0; begin < count; begin += 2 * size) {
            Py_ssize_t rest = count - begin;
            merge_pairs(names, pairs + begin, spare, size, rest < 2 * size ? rest : 2 * size);
        }
}

static int spans_fit(const Column *text, const Column *start, const Column *end)
{
    Py_ssize_t count = length_of(start), size = length_of(text);
    if (length_of(end) != count) return 0;
    for (Py_ssize_t row = 0; row < count; row++) {
        int64_t from = integers(start)[row], to = integers(end)[row];
        if (from < 0 || to < from || to > size) return 0;
    }
    return 1;
}

static PyObject *order_of(const NameColumn *names, Py_ssize_t count)
{
    PyObject *result = PyByteArray_FromStringAndSize(NULL, 8 * count);
    NamedPair *pairs = malloc((size_t)count * 2 * sizeof *pairs + 1);
    if (!result || !pairs) {
        Py_XDECREF(result);
        free(pairs);
        return PyErr_NoMemory();
    }
    char *order = PyByteArray_AsString(result);
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t row = 0; row < count; row++)
        pairs[row] = (NamedPair){prefix_of(&names[0], row), prefix_of(&names[1], row), row};
    sort_named(names, pairs, pairs + count, count);
    for (Py_ssize_t row = 0; row < count; row++) memcpy(order + 8 * row, &pairs[row].row, 8);
    Py_END_ALLOW_THREADS
    free(pairs);
    return result;
}

static PyObject *sort_pairs(PyObject *self, PyObject *arguments)
{
    (void)self;
    static const Kind kinds[6] = {BYTE, INT64, INT64, BYTE, INT64, INT64};
    PyObject *objects[6], *result = NULL;
    Column columns[6];
    int held = 0;
    if (!PyArg_ParseTuple(arguments, "OOOOOO", &objects[0], &objects[1], &objects[2], &objects[3],
                          &objects[4], &objects[5]))
        return NULL;
    for (int good = 1; good && held < 6; held++)
        good = hold(&columns[held], objects[held], kinds[held], 0);
    if (PyErr_Occurred()) goto done;
    if (length_of(&columns[1]) != length_of(&columns[4]) ||
        !spans_fit(&columns[0], &columns[1], &columns[2]) ||
        !spans_fit(&columns[3], &columns[4], &columns[5])) {
        PyErr_SetString(PyExc_ValueError, "spans of names that do not fit their text");
        goto done;
    }
    NameColumn names[2] = {
        {bytes_in(&columns[0]), integers(&columns[1]), integers(&columns[2])},
        {bytes_in(&columns[3]), integers(&columns[4]), integers(&columns[5])},
    };
    result = order_of(names, length_of(&columns[1]));
done:
    release(columns, held);
    return result;
}

#undef PROCEED
#undef KEEP

#define OBJECTS_METHODS                                                                    \
    {"answers", answers, METH_VARARGS, "The answers of a dictionary of topics, or None."},  \
    {"judgements", judgements, METH_VARARGS, "The judgements of a dictionary, or None."},   \
    {"scan_qrels", scan_qrels, METH_VARARGS, "TREC judgements as columns, or None."},       \
    {"scan_fol", scan_fol, METH_VARARGS, "INEX FOL assessments as columns, or None."},      \
    {"sort_pairs", sort_pairs, METH_VARARGS, "Rows sorted by topic and document."},
