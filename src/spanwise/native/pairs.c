/* Names that are the same: codes, pages of rankings, judged pairs; and what order answers are in. */

/* -- columns and names */

/* Take hold of one column for each letter: b bytes, i integers, u keys, d doubles, large letters
   for those that are written; None is an empty column that is not held. */
static int hold_all(Column *columns, PyObject *objects, const char *kinds)
{
    int count = (int)strlen(kinds);
    memset(columns, 0, sizeof(Column) * (size_t)count);
    for (int number = 0; number < count; number++) columns[number].view.itemsize = 1;
    if (PyTuple_Size(objects) != count) {
        PyErr_Format(PyExc_TypeError, "%d arguments were expected", count);
        return 0;
    }
    for (int number = 0; number < count; number++) {
        PyObject *object = PyTuple_GetItem(objects, number);
        char letter = kinds[number];
        int writable = letter < 'a';
        if (object == Py_None) continue;
        if (writable) letter = (char)(letter - 'A' + 'a');
        Kind kind = letter == 'i' ? INT64 : letter == 'u' ? UINT64 : letter == 'd' ? DOUBLE : BYTE;
        if (!hold(&columns[number], object, kind, writable)) return 0;
    }
    return 1;
}

static PyObject *wrong(const char *what)
{
    PyErr_SetString(PyExc_ValueError, what);
    return NULL;
}

static const char *const LENGTHS = "columns do not have the lengths that belong together";
static const char *const OUTSIDE = "a row points outside its column";

typedef struct {
    const uint8_t *text;
    int64_t size;
    const int64_t *start;
    const int64_t *end;
    int64_t rows;
} Names;

/* Names from three columns: buffer, start, end. */
static int names_of(Names *names, const Column *columns)
{
    names->text = bytes_in(&columns[0]);
    names->size = columns[0].view.len;
    names->start = integers(&columns[1]);
    names->end = integers(&columns[2]);
    names->rows = length_of(&columns[1]);
    return length_of(&columns[2]) == names->rows;
}

static inline int lies_inside(const Names *names, int64_t row)
{
    int64_t start = names->start[row], end = names->end[row];
    return 0 <= start && start <= end && end <= names->size;
}

static inline uint64_t key_at(const Names *names, int64_t row)
{
    int64_t start = names->start[row];
    return name_key(names->text + start, names->end[row] - start, names->size - start);
}

static inline int same_row_name(const Names *left, int64_t row, const Names *right, int64_t other)
{
    int64_t size = left->end[row] - left->start[row];
    return size == right->end[other] - right->start[other]
        && !memcmp(left->text + left->start[row], right->text + right->start[other], (size_t)size);
}

/* Do offsets begin with 0, never fall, and end with the number of rows? */
static int offsets_fit(const int64_t *offsets, int64_t owners, int64_t rows)
{
    if (owners < 0 || offsets[0] != 0 || offsets[owners] != rows) return 0;
    for (int64_t owner = 0; owner < owners; owner++)
        if (offsets[owner] > offsets[owner + 1]) return 0;
    return 1;
}

/* -- tables: a slot has 32 bits of a hash and the number of a row, plus one */

#define MOST_ROWS INT64_C(0xFFFFFFFE)

static inline uint64_t slot_of(uint64_t hash, int64_t row)
{
    return (hash << 32) | (uint64_t)(row + 1);
}

static inline int64_t row_in(uint64_t slot) { return (int64_t)(slot & 0xFFFFFFFFu) - 1; }

static inline int same_hash(uint64_t slot, uint64_t hash) { return slot >> 32 == (hash & 0xFFFFFFFFu); }

/* How many bits number the slots for some rows: at least twice as many, so that chains are short. */
static int bits_for(int64_t rows)
{
    int bits = 4;
    while ((INT64_C(1) << bits) < 2 * rows) bits++;
    return bits;
}

static PyObject *core_settle_mix(PyObject *self, PyObject *argument)
{
    (void)self;
    uint64_t wanted = PyLong_AsUnsignedLongLong(argument);
    if (wanted == (uint64_t)-1 && PyErr_Occurred()) return NULL;
    if (!mix_is_settled) {
        mix = wanted | 1;
        mix_is_settled = 1;
    }
    return PyLong_FromUnsignedLongLong(mix);
}

/* -- names by themselves */

static PyObject *core_keys(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[4];
    Names names;
    int fine = 1;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "biiU")) goto done;
    if (!names_of(&names, columns) || length_of(&columns[3]) != names.rows) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    uint64_t *key = keys_in(&columns[3]);
    for (int64_t row = 0; row < names.rows && fine; row++)
        if ((fine = lies_inside(&names, row))) key[row] = key_at(&names, row);
    Py_END_ALLOW_THREADS
    result = fine ? Py_NewRef(Py_None) : wrong(OUTSIDE);
done:
    release(columns, 4);
    return result;
}

static PyObject *core_equals(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[7];
    Names left, right;
    int fine = 1;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "biibiiB")) goto done;
    if (!names_of(&left, columns) || !names_of(&right, columns + 3) || left.rows != right.rows
        || length_of(&columns[6]) != left.rows) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    uint8_t *same = bytes_in(&columns[6]);
    for (int64_t row = 0; row < left.rows && fine; row++)
        if ((fine = lies_inside(&left, row) && lies_inside(&right, row)))
            same[row] = (uint8_t)same_row_name(&left, row, &right, row);
    Py_END_ALLOW_THREADS
    result = fine ? Py_NewRef(Py_None) : wrong(OUTSIDE);
done:
    release(columns, 7);
    return result;
}

static PyObject *core_name_runs(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[4];
    Names names;
    int64_t count = 0;
    int fine = 1;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "biiI")) goto done;
    if (!names_of(&names, columns) || length_of(&columns[3]) != names.rows) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    int64_t *begins = integers(&columns[3]);
    for (int64_t row = 0; row < names.rows && fine; row++)
        if ((fine = lies_inside(&names, row)) && (!row || !same_row_name(&names, row, &names, row - 1)))
            begins[count++] = row;
    Py_END_ALLOW_THREADS
    result = fine ? PyLong_FromLongLong(count) : wrong(OUTSIDE);
done:
    release(columns, 4);
    return result;
}

static PyObject *core_strings(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[3];
    Names names;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "bii")) goto done;
    if (!names_of(&names, columns)) {
        wrong(LENGTHS);
        goto done;
    }
    result = PyList_New((Py_ssize_t)names.rows);
    for (int64_t row = 0; result && row < names.rows; row++) {
        int64_t start = names.start[row];
        PyObject *name = !lies_inside(&names, row) ? wrong(OUTSIDE)
            : PyUnicode_DecodeUTF8((const char *)names.text + start,
                                   (Py_ssize_t)(names.end[row] - start), NULL);
        if (!name || PyList_SetItem(result, (Py_ssize_t)row, name) < 0) {
            Py_DECREF(result);
            result = NULL;
        }
    }
done:
    release(columns, 3);
    return result;
}

typedef struct {
    const Names *names;
    const uint64_t *key;
    const int64_t *group; /* NULL where all rows of a stretch have one group */
    int64_t *code;        /* NULL where only their number is asked for */
    uint64_t *slots;
} Coding;

/* Number the names of rows [first, after), from `count` on; gives the next free number. */
static int64_t code_stretch(const Coding *coding, int64_t first, int64_t after, int64_t count)
{
    int bits = bits_for(after - first);
    uint64_t mask = (UINT64_C(1) << bits) - 1, *slots = coding->slots;
    memset(slots, 0, sizeof(uint64_t) << bits);
    for (int64_t row = first; row < after; row++) {
        uint64_t key = coding->key[row];
        uint64_t hash = coding->group ? grouped_key(key, coding->group[row]) : mixed(key);
        uint64_t place = hash >> (64 - bits);
        int64_t same = -1;
        for (; slots[place]; place = (place + 1) & mask) {
            if (!same_hash(slots[place], hash)) continue;
            int64_t other = first + row_in(slots[place]);
            if (coding->group && coding->group[other] != coding->group[row]) continue;
            if (coding->key[other] == key && same_row_name(coding->names, row, coding->names, other)) {
                same = other;
                break;
            }
        }
        if (same < 0) slots[place] = slot_of(hash, row - first);
        if (coding->code) coding->code[row] = same < 0 ? count : coding->code[same];
        count += same < 0;
    }
    return count;
}

static int64_t stretch_after(const int64_t *group, int64_t first, int64_t rows)
{
    int64_t after = first + 1;
    while (after < rows && group[after] == group[first]) after++;
    return after;
}

static PyObject *core_codes(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[6];
    Names names;
    int fine = 1, in_memory = 1;
    int64_t count = 0;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "biiuiI")) goto done;
    int grouped = columns[4].held, numbered = columns[5].held;
    if (!names_of(&names, columns) || names.rows > MOST_ROWS || length_of(&columns[3]) != names.rows
        || (grouped && length_of(&columns[4]) != names.rows)
        || (numbered && length_of(&columns[5]) != names.rows)) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int64_t *group = grouped ? integers(&columns[4]) : NULL;
    int64_t longest = 0, length = 0;
    int sorted = 1;
    for (int64_t row = 0; row < names.rows && fine; row++) {
        fine = lies_inside(&names, row);
        if (!group) continue;
        int same = row && group[row] == group[row - 1];
        if (row && group[row] < group[row - 1]) sorted = 0;
        length = same ? length + 1 : 1;
        if (length > longest) longest = length;
    }
    /* Groups side by side need a small table each, which stays in the cache. */
    if (!group || !sorted) longest = names.rows;
    Coding coding = {&names, keys_in(&columns[3]), sorted ? NULL : group,
                     numbered ? integers(&columns[5]) : NULL, NULL};
    if (fine && names.rows) {
        coding.slots = malloc(sizeof(uint64_t) << bits_for(longest));
        in_memory = coding.slots != NULL;
        for (int64_t first = 0; in_memory && first < names.rows;) {
            int64_t after = group && sorted ? stretch_after(group, first, names.rows) : names.rows;
            count = code_stretch(&coding, first, after, count);
            first = after;
        }
        free(coding.slots);
    }
    Py_END_ALLOW_THREADS
    if (!in_memory) PyErr_NoMemory();
    else if (!fine) wrong(OUTSIDE);
    else result = PyLong_FromLongLong(count);
done:
    release(columns, 6);
    return result;
}

/* -- judged pairs */

typedef struct {
    Names names;
    const int64_t *topic;
    const uint64_t *slots;
    int bits;
} Index;

/* An index from five columns: buffer, start, end, topic, slots. */
static int index_of(Index *index, const Column *columns)
{
    int64_t slots = length_of(&columns[4]);
    index->topic = integers(&columns[3]);
    index->slots = keys_in(&columns[4]);
    if (!names_of(&index->names, columns)) return 0;
    index->bits = bits_for(index->names.rows);
    return length_of(&columns[3]) == index->names.rows && slots == INT64_C(1) << index->bits;
}

/* The pair with this name, topic and hash (the grouped key), or -1; `free_place`, if asked for, is
   then where it belongs. */
static inline int64_t pair_at(const Index *index, uint64_t hash, const Names *names, int64_t row,
                              int64_t topic, uint64_t *free_place)
{
    uint64_t mask = (UINT64_C(1) << index->bits) - 1, place = hash >> (64 - index->bits);
    for (; index->slots[place]; place = (place + 1) & mask) {
        if (!same_hash(index->slots[place], hash)) continue;
        int64_t pair = row_in(index->slots[place]);
        if (pair < index->names.rows && index->topic[pair] == topic
            && lies_inside(&index->names, pair) && same_row_name(&index->names, pair, names, row))
            return pair;
    }
    if (free_place) *free_place = place;
    return -1;
}

static PyObject *core_slots_for(PyObject *self, PyObject *argument)
{
    (void)self;
    int64_t rows = PyLong_AsLongLong(argument);
    if (rows == -1 && PyErr_Occurred()) return NULL;
    if (rows < 0 || rows > MOST_ROWS) return wrong(LENGTHS);
    return PyLong_FromLongLong(INT64_C(1) << bits_for(rows));
}

static PyObject *core_index_pairs(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[6];
    Index index;
    int fine = 1;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "biiiUu")) goto done;
    if (!index_of(&index, columns) || length_of(&columns[5]) != index.names.rows
        || index.names.rows > MOST_ROWS) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    uint64_t *slots = keys_in(&columns[4]);
    const uint64_t *key = keys_in(&columns[5]);
    memset(slots, 0, sizeof(uint64_t) << index.bits);
    for (int64_t row = 0; row < index.names.rows && fine; row++) {
        if (!(fine = lies_inside(&index.names, row))) break;
        uint64_t hash = grouped_key(key[row], index.topic[row]), place = 0;
        if (pair_at(&index, hash, &index.names, row, index.topic[row], &place) < 0)
            slots[place] = slot_of(hash, row);
    }
    Py_END_ALLOW_THREADS
    result = fine ? Py_NewRef(Py_None) : wrong(OUTSIDE);
done:
    release(columns, 6);
    return result;
}

/* A table that Python hands back must have a free slot, else a search would never end. */
static int has_free_slot(const Index *index)
{
    int64_t slots = INT64_C(1) << index->bits;
    for (int64_t place = 0; place < slots; place++)
        if (!index->slots[place]) return 1;
    return 0;
}

static PyObject *core_find_pairs(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[11];
    Index index;
    Names names;
    int fine = 1;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "biiiubiiuiI")) goto done;
    int topical = columns[9].held;
    if (!index_of(&index, columns) || !names_of(&names, columns + 5) || !has_free_slot(&index)
        || length_of(&columns[8]) != names.rows || length_of(&columns[10]) != names.rows
        || (topical && length_of(&columns[9]) != names.rows)) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const uint64_t *key = keys_in(&columns[8]);
    const int64_t *topics = integers(&columns[9]);
    int64_t *pair = integers(&columns[10]);
    for (int64_t row = 0; row < names.rows && fine; row++) {
        if (!(fine = lies_inside(&names, row))) break;
        int64_t topic = topical ? topics[row] : 0;
        pair[row] = pair_at(&index, grouped_key(key[row], topic), &names, row, topic, NULL);
    }
    Py_END_ALLOW_THREADS
    result = fine ? Py_NewRef(Py_None) : wrong(OUTSIDE);
done:
    release(columns, 11);
    return result;
}

/* -- pages */

typedef struct {
    Names names;
    const uint64_t *key;
    const int64_t *offsets; /* of the rankings */
    const int64_t *topic;   /* of each ranking, in the assessments */
    int64_t rankings;
    Index index;
    int64_t *page;  /* of each answer, or NULL */
    int64_t *first; /* answer of each page, or NULL */
    int64_t *page_offsets;
    int64_t *judged_page;
    int64_t *judged_pair;
    uint64_t *slots;
    int64_t pages, later, judged;
} Paging;

/* The first answer of this ranking with the same name, or -1 with the place for a new one. */
static inline int64_t earlier_answer(const Paging *paging, int bits, uint64_t hash, int64_t begin,
                                     int64_t row, uint64_t *place)
{
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    *place = hash >> (64 - bits);
    for (; paging->slots[*place]; *place = (*place + 1) & mask) {
        if (!same_hash(paging->slots[*place], hash)) continue;
        int64_t other = begin + row_in(paging->slots[*place]);
        if (same_row_name(&paging->names, row, &paging->names, other)) return other;
    }
    return -1;
}

static void begin_page(Paging *paging, int64_t ranking, int64_t row, uint64_t hash)
{
    int64_t topic = paging->topic[ranking];
    int64_t pair = pair_at(&paging->index, grouped_mixed(hash, topic), &paging->names, row, topic,
                           NULL);
    if (pair >= 0) {
        paging->judged_page[paging->judged] = paging->pages;
        paging->judged_pair[paging->judged++] = pair;
    }
    if (paging->first) paging->first[paging->pages] = row;
    paging->pages++;
}

static int page_ranking(Paging *paging, int64_t ranking)
{
    int64_t begin = paging->offsets[ranking], after = paging->offsets[ranking + 1];
    int bits = bits_for(after - begin);
    int still_first = 0; /* is the answer before in the first stretch of its page? */
    memset(paging->slots, 0, sizeof(uint64_t) << bits);
    for (int64_t row = begin; row < after; row++) {
        if (!lies_inside(&paging->names, row)) return 0;
        uint64_t place, hash = mixed(paging->key[row]);
        int64_t other = earlier_answer(paging, bits, hash, begin, row, &place);
        if (other < 0) {
            if (paging->page) paging->page[row] = paging->pages;
            paging->slots[place] = slot_of(hash, row - begin);
            begin_page(paging, ranking, row, hash);
            still_first = 1;
        } else if (paging->page) {
            int64_t page = paging->page[row] = paging->page[other];
            still_first = still_first && paging->page[row - 1] == page;
            paging->later += !still_first;
        }
    }
    return 1;
}

static PyObject *core_pages(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[16];
    Paging paging;
    int fine = 1, in_memory = 1;
    PyObject *result = NULL;
    memset(&paging, 0, sizeof paging);
    if (!hold_all(columns, args, "biiuii" "biiiu" "IIIII")) goto done;
    paging.key = keys_in(&columns[3]);
    paging.offsets = integers(&columns[4]);
    paging.topic = integers(&columns[5]);
    paging.rankings = length_of(&columns[5]);
    int lengths = names_of(&paging.names, columns) && index_of(&paging.index, columns + 6)
        && length_of(&columns[3]) == paging.names.rows
        && length_of(&columns[4]) == paging.rankings + 1
        && length_of(&columns[13]) == paging.rankings + 1
        && length_of(&columns[14]) == paging.names.rows
        && length_of(&columns[15]) == paging.names.rows;
    for (int number = 11; number < 13; number++)
        lengths = lengths
            && (!columns[number].held || length_of(&columns[number]) == paging.names.rows);
    if (!lengths || !has_free_slot(&paging.index)
        || !offsets_fit(paging.offsets, paging.rankings, paging.names.rows)) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    int64_t longest = 0;
    paging.page = columns[11].held ? integers(&columns[11]) : NULL;
    paging.first = columns[12].held ? integers(&columns[12]) : NULL;
    paging.page_offsets = integers(&columns[13]);
    paging.judged_page = integers(&columns[14]);
    paging.judged_pair = integers(&columns[15]);
    for (int64_t ranking = 0; ranking < paging.rankings; ranking++) {
        int64_t length = paging.offsets[ranking + 1] - paging.offsets[ranking];
        if (length > longest) longest = length;
    }
    fine = longest <= MOST_ROWS;
    if (fine) {
        paging.slots = malloc(sizeof(uint64_t) << bits_for(longest));
        in_memory = paging.slots != NULL;
        paging.page_offsets[0] = 0;
        for (int64_t ranking = 0; ranking < paging.rankings && fine && in_memory; ranking++) {
            fine = page_ranking(&paging, ranking);
            paging.page_offsets[ranking + 1] = paging.pages;
        }
        free(paging.slots);
    }
    Py_END_ALLOW_THREADS
    if (!in_memory) PyErr_NoMemory();
    else if (!fine) wrong(OUTSIDE);
    else result = Py_BuildValue("(LLL)", (long long)paging.pages, (long long)paging.later,
                                (long long)paging.judged);
done:
    release(columns, 16);
    return result;
}

/* -- order */

typedef struct {
    int64_t neighbours;                          /* answers that follow one of their topic */
    int64_t score_up, score_down, score_tied;    /* of these; ties count both answers */
    int64_t score_equal;
    int64_t rank_up, rank_equal, rank_tied;
    int64_t against_descending, against_ascending; /* contradict rank, or score in that order */
    int64_t rising, long_enough;                 /* topics */
} OrderFacts;

#define FEWEST_RISING 3

static void look_at_topic(OrderFacts *facts, const double *score, const int64_t *rank,
                          int64_t begin, int64_t after)
{
    int64_t up = 0, down = 0;
    int score_was_tied = 0, rank_was_tied = 0;
    facts->long_enough += after - begin >= FEWEST_RISING;
    if (after > begin) facts->neighbours += after - begin - 1;
    if (!score && !rank) return;
    for (int64_t row = begin + 1; row < after; row++) {
        int rises = score && score[row] > score[row - 1];
        int falls = score && score[row] < score[row - 1];
        int same = score && score[row] == score[row - 1];
        int rank_falls = rank && rank[row] < rank[row - 1];
        int same_rank = rank && rank[row] == rank[row - 1];
        up += rises;
        down += falls;
        facts->score_equal += same;
        facts->score_tied += same ? 2 - score_was_tied : 0;
        facts->rank_up += rank && rank[row] > rank[row - 1];
        facts->rank_equal += same_rank;
        facts->rank_tied += same_rank ? 2 - rank_was_tied : 0;
        facts->against_descending += rank_falls | rises;
        facts->against_ascending += rank_falls | falls;
        score_was_tied = same;
        rank_was_tied = same_rank;
    }
    facts->score_up += up;
    facts->score_down += down;
    facts->rising += after - begin >= FEWEST_RISING && up && !down;
}

static PyObject *core_order_facts(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[3];
    OrderFacts facts;
    PyObject *result = NULL;
    memset(&facts, 0, sizeof facts);
    if (!hold_all(columns, args, "idi")) goto done;
    int64_t topics = (int64_t)length_of(&columns[0]) - 1;
    const int64_t *offsets = integers(&columns[0]);
    int64_t rows = topics >= 0 ? offsets[topics] : 0;
    if (topics < 0 || !offsets_fit(offsets, topics, rows)
        || (columns[1].held && length_of(&columns[1]) != rows)
        || (columns[2].held && length_of(&columns[2]) != rows)) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const double *score = columns[1].held ? doubles(&columns[1]) : NULL;
    const int64_t *rank = columns[2].held ? integers(&columns[2]) : NULL;
    for (int64_t topic = 0; topic < topics; topic++)
        look_at_topic(&facts, score, rank, offsets[topic], offsets[topic + 1]);
    Py_END_ALLOW_THREADS
    result = Py_BuildValue(
        "(LLLLLLLLLLLL)", (long long)facts.neighbours, (long long)facts.score_up,
        (long long)facts.score_down, (long long)facts.score_equal, (long long)facts.score_tied,
        (long long)facts.rank_up, (long long)facts.rank_equal, (long long)facts.rank_tied,
        (long long)facts.against_descending, (long long)facts.against_ascending,
        (long long)facts.rising, (long long)facts.long_enough);
done:
    release(columns, 3);
    return result;
}

#define PAIRS_METHODS                                  \
    {"settle_mix", core_settle_mix, METH_O, NULL},          \
    {"keys", core_keys, METH_VARARGS, NULL},                \
    {"equals", core_equals, METH_VARARGS, NULL},            \
    {"strings", core_strings, METH_VARARGS, NULL},     \
    {"name_runs", core_name_runs, METH_VARARGS, NULL},      \
    {"codes", core_codes, METH_VARARGS, NULL},              \
    {"slots_for", core_slots_for, METH_O, NULL},            \
    {"index_pairs", core_index_pairs, METH_VARARGS, NULL},  \
    {"find_pairs", core_find_pairs, METH_VARARGS, NULL},    \
    {"pages", core_pages, METH_VARARGS, NULL},              \
    {"order_facts", core_order_facts, METH_VARARGS, NULL},
