/* Ranges of many owners: unions, overlaps, what is read first, what is read and found. */

typedef struct {
    int64_t start, end, row;
} Piece;

/* -- rows by owner */

typedef struct {
    int64_t *offsets; /* one more than owners */
    int64_t *rows;    /* in the order of the columns, owner by owner */
} Groups;

static void free_groups(Groups *groups)
{
    free(groups->offsets);
    free(groups->rows);
}

static int owners_fit(const int64_t *owner, int64_t rows, int64_t owners)
{
    for (int64_t row = 0; row < rows; row++)
        if (owner[row] < 0 || owner[row] >= owners) return 0;
    return 1;
}

/* 0 if there is no memory. Owners must fit. */
static int group_rows(Groups *groups, const int64_t *owner, int64_t rows, int64_t owners)
{
    groups->offsets = calloc((size_t)owners + 2, sizeof(int64_t));
    groups->rows = malloc(sizeof(int64_t) * (size_t)(rows + 1));
    if (!groups->offsets || !groups->rows) return 0;
    /* Counted two places further on, so that placing the rows leaves the offsets behind. */
    int64_t *next = groups->offsets + 1;
    for (int64_t row = 0; row < rows; row++)
        if (owner[row] + 1 < owners) next[owner[row] + 1]++;
    for (int64_t number = 1; number < owners; number++) next[number] += next[number - 1];
    for (int64_t row = 0; row < rows; row++) groups->rows[next[owner[row]]++] = row;
    return 1;
}

/* -- sorting by start, stable */

#define FEW 12

static void sort_pieces(Piece *pieces, int64_t count, Piece *scratch)
{
    if (count <= FEW) {
        for (int64_t number = 1; number < count; number++) {
            Piece piece = pieces[number];
            int64_t place = number;
            for (; place > 0 && pieces[place - 1].start > piece.start; place--)
                pieces[place] = pieces[place - 1];
            pieces[place] = piece;
        }
        return;
    }
    int64_t half = count / 2, left = 0, right = half, place = 0;
    sort_pieces(pieces, half, scratch);
    sort_pieces(pieces + half, count - half, scratch);
    if (pieces[half - 1].start <= pieces[half].start) return;
    memcpy(scratch, pieces, sizeof(Piece) * (size_t)half);
    while (left < half)
        pieces[place++] = right < count && pieces[right].start < scratch[left].start
            ? pieces[right++] : scratch[left++];
}

/* The rows of one owner as pieces, sorted by start. */
static void gather(Piece *pieces, Piece *scratch, const int64_t *rows, int64_t count,
                   const int64_t *start, const int64_t *end)
{
    for (int64_t number = 0; number < count; number++) {
        int64_t row = rows[number];
        pieces[number] = (Piece){start[row], end[row], row};
    }
    sort_pieces(pieces, count, scratch);
}

static int64_t largest_group(const Groups *groups, int64_t owners)
{
    int64_t most = 0;
    for (int64_t owner = 0; owner < owners; owner++) {
        int64_t count = groups->offsets[owner + 1] - groups->offsets[owner];
        if (count > most) most = count;
    }
    return most;
}

/* Room for the rows of one owner, for sorting them, and for a heap; NULL without memory. */
static Piece *room_for(int64_t most) { return malloc(sizeof(Piece) * (size_t)(3 * most + 1)); }

/* -- unions */

typedef struct {
    int64_t *start, *end;
    int64_t count;
} Union;

static void add_to_union(Union *made, int64_t first, int64_t start, int64_t end)
{
    if (end <= start) return;
    if (made->count > first && start <= made->end[made->count - 1]) {
        if (end > made->end[made->count - 1]) made->end[made->count - 1] = end;
        return;
    }
    made->start[made->count] = start;
    made->end[made->count++] = end;
}

/* Are the ranges in the order of owners and starts already? */
static int are_sorted(const int64_t *owner, const int64_t *start, int64_t rows)
{
    for (int64_t row = 1; row < rows; row++)
        if (owner[row] < owner[row - 1]
            || (owner[row] == owner[row - 1] && start[row] < start[row - 1]))
            return 0;
    return 1;
}

static void unite_sorted(Union *made, int64_t *offsets, int64_t owners, const int64_t *owner,
                         const int64_t *start, const int64_t *end, int64_t rows)
{
    int64_t row = 0;
    for (int64_t number = 0; number < owners; number++) {
        offsets[number] = made->count;
        for (; row < rows && owner[row] == number; row++)
            add_to_union(made, offsets[number], start[row], end[row]);
    }
    offsets[owners] = made->count;
}

static int unite(Union *made, int64_t *offsets, int64_t owners, const int64_t *owner,
                 const int64_t *start, const int64_t *end, int64_t rows)
{
    Groups groups = {NULL, NULL};
    int in_memory = group_rows(&groups, owner, rows, owners);
    int64_t most = in_memory ? largest_group(&groups, owners) : 0;
    Piece *pieces = in_memory ? room_for(most) : NULL;
    for (int64_t number = 0; pieces && number < owners; number++) {
        int64_t begin = groups.offsets[number], count = groups.offsets[number + 1] - begin;
        offsets[number] = made->count;
        gather(pieces, pieces + most, groups.rows + begin, count, start, end);
        for (int64_t place = 0; place < count; place++)
            add_to_union(made, offsets[number], pieces[place].start, pieces[place].end);
    }
    offsets[owners] = made->count;
    free(pieces);
    free_groups(&groups);
    return pieces != NULL;
}

static PyObject *core_union_ranges(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[6];
    Union made = {NULL, NULL, 0};
    int fine = 1, in_memory = 1;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "iiiIII")) goto done;
    int64_t rows = length_of(&columns[0]), owners = (int64_t)length_of(&columns[3]) - 1;
    if (owners < 0) {
        wrong(LENGTHS);
        goto done;
    }
    for (int number = 1; number < 6; number++)
        if (number != 3 && length_of(&columns[number]) != rows) {
            wrong(LENGTHS);
            goto done;
        }
    Py_BEGIN_ALLOW_THREADS
    const int64_t *owner = integers(&columns[0]);
    const int64_t *start = integers(&columns[1]), *end = integers(&columns[2]);
    made.start = integers(&columns[4]);
    made.end = integers(&columns[5]);
    fine = owners_fit(owner, rows, owners);
    if (fine && are_sorted(owner, start, rows))
        unite_sorted(&made, integers(&columns[3]), owners, owner, start, end, rows);
    else if (fine)
        in_memory = unite(&made, integers(&columns[3]), owners, owner, start, end, rows);
    Py_END_ALLOW_THREADS
    if (!in_memory) PyErr_NoMemory();
    else if (!fine) wrong(OUTSIDE);
    else result = PyLong_FromLongLong(made.count);
done:
    release(columns, 6);
    return result;
}

/* -- ranges that share characters */

/* Of one owner's pieces, sorted: mark those that meet one before, or the next one. */
static void mark_sharing(const Piece *pieces, int64_t count, uint8_t *shares)
{
    int64_t reach = count ? pieces[0].end : 0;
    for (int64_t number = 1; number < count; number++) {
        const Piece *piece = pieces + number;
        if (piece->start < reach) shares[piece->row] = 1;
        if (piece->start < piece[-1].end) shares[piece[-1].row] = 1;
        if (piece->end > reach) reach = piece->end;
    }
}

static PyObject *core_sharing(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[4];
    long long owners;
    PyObject *given, *result = NULL;
    int fine = 1, in_memory = 1;
    if (!PyArg_ParseTuple(args, "LO", &owners, &given)) return NULL;
    if (!PyTuple_Check(given)) return wrong(LENGTHS);
    if (!hold_all(columns, given, "iiiB")) goto done;
    int64_t rows = length_of(&columns[0]);
    if (owners < 0 || length_of(&columns[1]) != rows || length_of(&columns[2]) != rows
        || length_of(&columns[3]) != rows) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int64_t *owner = integers(&columns[0]);
    Groups groups = {NULL, NULL};
    fine = owners_fit(owner, rows, owners);
    if (fine) in_memory = group_rows(&groups, owner, rows, owners);
    int64_t most = fine && in_memory ? largest_group(&groups, owners) : 0;
    Piece *pieces = fine && in_memory ? room_for(most) : NULL;
    in_memory = in_memory && (pieces || !fine);
    if (pieces) memset(bytes_in(&columns[3]), 0, (size_t)rows);
    for (int64_t number = 0; pieces && number < owners; number++) {
        int64_t begin = groups.offsets[number], count = groups.offsets[number + 1] - begin;
        if (count < 2) continue;
        gather(pieces, pieces + most, groups.rows + begin, count, integers(&columns[1]),
               integers(&columns[2]));
        mark_sharing(pieces, count, bytes_in(&columns[3]));
    }
    free(pieces);
    free_groups(&groups);
    Py_END_ALLOW_THREADS
    if (!in_memory) PyErr_NoMemory();
    else if (!fine) wrong(OUTSIDE);
    else result = Py_NewRef(Py_None);
done:
    release(columns, 4);
    return result;
}

/* -- sorted disjoint ranges, and how much of others they hold */

typedef struct {
    const int64_t *offsets, *start, *end;
    int64_t owners, count;
    int64_t *before; /* characters before each range, of all owners; NULL where owners have few */
} Held;

/* From three columns: offsets, start, end. */
static int held_of(Held *held, const Column *columns)
{
    held->owners = (int64_t)length_of(&columns[0]) - 1;
    held->count = length_of(&columns[1]);
    held->offsets = integers(&columns[0]);
    held->start = integers(&columns[1]);
    held->end = integers(&columns[2]);
    held->before = NULL;
    return held->owners >= 0 && length_of(&columns[2]) == held->count
        && offsets_fit(held->offsets, held->owners, held->count);
}

/* Prepare for owners with many ranges; 0 if there is no memory. */
static int prepare_held(Held *held)
{
    int many = 0;
    for (int64_t owner = 0; owner < held->owners && !many; owner++)
        many = held->offsets[owner + 1] - held->offsets[owner] > FEW;
    if (!many) return 1;
    held->before = malloc(sizeof(int64_t) * (size_t)(held->count + 1));
    if (!held->before) return 0;
    int64_t total = 0;
    for (int64_t number = 0; number < held->count; number++) {
        held->before[number] = total;
        total = (int64_t)((uint64_t)total + (uint64_t)held->end[number]
                          - (uint64_t)held->start[number]);
    }
    held->before[held->count] = total;
    return 1;
}

/* How many characters an owner holds before a position. */
static int64_t held_before(const Held *held, int64_t owner, int64_t position)
{
    int64_t first = held->offsets[owner], after = held->offsets[owner + 1];
    if (!held->before || after - first <= FEW) {
        int64_t total = 0;
        for (; first < after && held->start[first] < position; first++)
            total += (held->end[first] < position ? held->end[first] : position)
                - held->start[first];
        return total;
    }
    int64_t low = first, high = after; /* ranges that start before the position end at low */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (held->start[middle] < position) low = middle + 1;
        else high = middle;
    }
    if (low == first) return 0;
    int64_t last = low - 1, end = held->end[last];
    return held->before[last] - held->before[first] + (end < position ? end : position)
        - held->start[last];
}

static inline int64_t held_within(const Held *held, int64_t owner, int64_t start, int64_t end)
{
    if (held->offsets[owner] == held->offsets[owner + 1]) return 0;
    return held_before(held, owner, end) - held_before(held, owner, start);
}

static PyObject *core_covered(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[7];
    Held held = {0};
    int fine = 1, in_memory = 1;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "iiiiiiI")) goto done;
    int64_t rows = length_of(&columns[3]);
    if (!held_of(&held, columns) || length_of(&columns[4]) != rows
        || length_of(&columns[5]) != rows || length_of(&columns[6]) != rows) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int64_t *owner = integers(&columns[3]);
    const int64_t *start = integers(&columns[4]), *end = integers(&columns[5]);
    int64_t *shared = integers(&columns[6]);
    fine = owners_fit(owner, rows, held.owners);
    in_memory = !fine || prepare_held(&held);
    for (int64_t row = 0; fine && in_memory && row < rows; row++)
        shared[row] = held_within(&held, owner[row], start[row], end[row]);
    free(held.before);
    Py_END_ALLOW_THREADS
    if (!in_memory) PyErr_NoMemory();
    else if (!fine) wrong(OUTSIDE);
    else result = Py_NewRef(Py_None);
done:
    release(columns, 7);
    return result;
}

/* -- what is read first */

/* A heap of ranges that are open, the least row on top. */
typedef struct {
    Piece *pieces;
    int64_t count;
} Heap;

static void push(Heap *heap, Piece piece)
{
    int64_t place = heap->count++;
    while (place && heap->pieces[(place - 1) / 2].row > piece.row) {
        heap->pieces[place] = heap->pieces[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    heap->pieces[place] = piece;
}

static void pop(Heap *heap)
{
    Piece piece = heap->pieces[--heap->count];
    int64_t place = 0;
    for (;;) {
        int64_t child = 2 * place + 1;
        if (child >= heap->count) break;
        if (child + 1 < heap->count && heap->pieces[child + 1].row < heap->pieces[child].row)
            child++;
        if (heap->pieces[child].row >= piece.row) break;
        heap->pieces[place] = heap->pieces[child];
        place = child;
    }
    if (heap->count) heap->pieces[place] = piece;
}

/* Where pieces go: into columns of their own, or summed up for each row. */
typedef struct {
    Piece *pieces; /* NULL for sums */
    int64_t count;
    const Held *relevant;
    int64_t owner; /* whose relevant ranges; -1: nothing is relevant */
    int64_t *read, *found;
} Sink;

static void add_piece(Sink *sink, int64_t row, int64_t start, int64_t end)
{
    if (sink->pieces) {
        sink->pieces[sink->count++] = (Piece){start, end, row};
        return;
    }
    sink->read[row] += end - start;
    if (sink->owner >= 0) sink->found[row] += held_within(sink->relevant, sink->owner, start, end);
}

/* Give every character of one owner's pieces, sorted, to the least row that holds it. */
static void sweep(const Piece *pieces, int64_t count, Piece *room, Sink *sink)
{
    Heap heap = {room, 0};
    Piece last = {0, 0, -1};
    int64_t next = 0, place = 0;
    for (;;) {
        while (heap.count && heap.pieces[0].end <= place) pop(&heap);
        if (!heap.count) {
            if (next == count) break;
            place = pieces[next].start;
        }
        for (; next < count && pieces[next].start <= place; next++)
            if (pieces[next].end > place) push(&heap, pieces[next]);
        if (!heap.count) continue;
        int64_t stop = heap.pieces[0].end;
        if (next < count && pieces[next].start < stop) stop = pieces[next].start;
        if (last.row == heap.pieces[0].row && last.end == place) {
            last.end = stop;
        } else {
            if (last.row >= 0) add_piece(sink, last.row, last.start, last.end);
            last = (Piece){place, stop, heap.pieces[0].row};
        }
        place = stop;
    }
    if (last.row >= 0) add_piece(sink, last.row, last.start, last.end);
}

static void read_owner(Piece *room, int64_t most, const int64_t *rows, int64_t count,
                       const int64_t *start, const int64_t *end, Sink *sink)
{
    if (count == 1) {
        if (end[*rows] > start[*rows]) add_piece(sink, *rows, start[*rows], end[*rows]);
        return;
    }
    gather(room, room + most, rows, count, start, end);
    int alone = 1;
    for (int64_t number = 1; number < count && alone; number++)
        alone = room[number].start >= room[number - 1].end
            && room[number - 1].end > room[number - 1].start;
    if (!alone || room[count - 1].end <= room[count - 1].start) {
        sweep(room, count, room + 2 * most, sink);
        return;
    }
    for (int64_t number = 0; number < count; number++)
        add_piece(sink, room[number].row, room[number].start, room[number].end);
}

/* Pieces in the order of their rows; those of one row are in order already. */
static int64_t place_pieces(const Piece *pieces, int64_t count, int64_t rows, int64_t *next,
                            int64_t *row, int64_t *start, int64_t *end)
{
    memset(next, 0, sizeof(int64_t) * (size_t)(rows + 1));
    for (int64_t number = 0; number < count; number++) next[pieces[number].row + 1]++;
    for (int64_t number = 0; number < rows; number++) next[number + 1] += next[number];
    for (int64_t number = 0; number < count; number++) {
        int64_t place = next[pieces[number].row]++;
        row[place] = pieces[number].row;
        start[place] = pieces[number].start;
        end[place] = pieces[number].end;
    }
    return count;
}

static PyObject *core_first_read(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[6];
    long long owners;
    PyObject *given, *result = NULL;
    int fine = 1, in_memory = 1;
    int64_t count = 0;
    if (!PyArg_ParseTuple(args, "LO", &owners, &given)) return NULL;
    if (!PyTuple_Check(given)) return wrong(LENGTHS);
    if (!hold_all(columns, given, "iiiIII")) goto done;
    int64_t rows = length_of(&columns[0]);
    int lengths = owners >= 0 && length_of(&columns[1]) == rows && length_of(&columns[2]) == rows;
    for (int number = 3; number < 6; number++)
        lengths = lengths && length_of(&columns[number]) == 2 * rows;
    if (!lengths) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int64_t *owner = integers(&columns[0]);
    Groups groups = {NULL, NULL};
    fine = owners_fit(owner, rows, owners);
    in_memory = !fine || group_rows(&groups, owner, rows, owners);
    if (fine && in_memory) {
        int64_t most = largest_group(&groups, owners);
        Piece *room = room_for(most);
        Sink sink = {malloc(sizeof(Piece) * (size_t)(2 * rows + 1)), 0, NULL, -1, NULL, NULL};
        int64_t *next = malloc(sizeof(int64_t) * (size_t)(rows + 1));
        in_memory = room && sink.pieces && next;
        for (int64_t number = 0; in_memory && number < owners; number++) {
            int64_t begin = groups.offsets[number], size = groups.offsets[number + 1] - begin;
            if (size)
                read_owner(room, most, groups.rows + begin, size, integers(&columns[1]),
                           integers(&columns[2]), &sink);
        }
        if (in_memory)
            count = place_pieces(sink.pieces, sink.count, rows, next, integers(&columns[3]),
                                 integers(&columns[4]), integers(&columns[5]));
        free(room);
        free(sink.pieces);
        free(next);
    }
    free_groups(&groups);
    Py_END_ALLOW_THREADS
    if (!in_memory) PyErr_NoMemory();
    else if (!fine) wrong(OUTSIDE);
    else result = PyLong_FromLongLong(count);
done:
    release(columns, 6);
    return result;
}

/* -- what is read and found after each answer */

static int curve_of(const Groups *groups, int64_t owners, const int64_t *pair,
                    const int64_t *start, const int64_t *end, Sink *sink)
{
    int64_t most = largest_group(groups, owners);
    Piece *room = room_for(most);
    for (int64_t owner = 0; room && owner < owners; owner++) {
        int64_t begin = groups->offsets[owner], count = groups->offsets[owner + 1] - begin;
        sink->owner = pair[owner];
        if (count) read_owner(room, most, groups->rows + begin, count, start, end, sink);
    }
    free(room);
    return room != NULL;
}

static void run_on(int64_t *values, const int64_t *offsets, int64_t rankings)
{
    for (int64_t ranking = 0; ranking < rankings; ranking++)
        for (int64_t row = offsets[ranking] + 1; row < offsets[ranking + 1]; row++)
            values[row] += values[row - 1];
}

static PyObject *core_answer_curve(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[10];
    Held relevant = {0};
    int fine = 1, in_memory = 1;
    PyObject *result = NULL;
    if (!hold_all(columns, args, "iiiiiiiiII")) goto done;
    int64_t rankings = (int64_t)length_of(&columns[0]) - 1, rows = length_of(&columns[1]);
    int64_t owners = length_of(&columns[4]);
    const int64_t *offsets = integers(&columns[0]);
    if (!held_of(&relevant, columns + 5) || rankings < 0 || !offsets_fit(offsets, rankings, rows)
        || length_of(&columns[2]) != rows || length_of(&columns[3]) != rows
        || length_of(&columns[8]) != rows || length_of(&columns[9]) != rows) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int64_t *owner = integers(&columns[1]), *pair = integers(&columns[4]);
    Groups groups = {NULL, NULL};
    Sink sink = {NULL, 0, &relevant, -1, integers(&columns[8]), integers(&columns[9])};
    fine = owners_fit(owner, rows, owners);
    for (int64_t number = 0; number < owners && fine; number++)
        fine = pair[number] >= -1 && pair[number] < relevant.owners;
    memset(sink.read, 0, sizeof(int64_t) * (size_t)rows);
    memset(sink.found, 0, sizeof(int64_t) * (size_t)rows);
    if (fine)
        in_memory = prepare_held(&relevant) && group_rows(&groups, owner, rows, owners)
            && curve_of(&groups, owners, pair, integers(&columns[2]), integers(&columns[3]), &sink);
    if (fine && in_memory) {
        run_on(sink.read, offsets, rankings);
        run_on(sink.found, offsets, rankings);
    }
    free(relevant.before);
    free_groups(&groups);
    Py_END_ALLOW_THREADS
    if (!in_memory) PyErr_NoMemory();
    else if (!fine) wrong(OUTSIDE);
    else result = Py_NewRef(Py_None);
done:
    release(columns, 10);
    return result;
}

/* -- the order in which pages are read */

typedef enum { ALL = 0, RELEVANT = 1, OTHER = 2 } Chosen;

typedef struct {
    Held relevant; /* of each page */
    Held covered;  /* by the parts of each page */
    const int64_t *place, *start, *end; /* of pieces of parts */
    const int64_t *horizon;             /* how far each page is read */
    const uint8_t *natural;             /* pages of which the rest is read as it comes */
    int64_t after; /* what comes last of the rest: RELEVANT, OTHER, or ALL for neither */
    int64_t penalty;
    int by_place; /* only the first piece of each place has a penalty */
    int64_t *length, *at;
    uint8_t *is_relevant;
    int64_t count, room;
    int is_full; /* never, unless pieces overlap */
} Order;

static void add_segment(Order *order, int64_t at, int64_t length, int relevant)
{
    if (order->count >= order->room) {
        order->is_full = 1;
        return;
    }
    order->at[order->count] = at;
    order->length[order->count] = length;
    order->is_relevant[order->count++] = (uint8_t)relevant;
}

/* The first relevant range of a page that ends after a position. */
static int64_t first_ending_after(const Held *held, int64_t page, int64_t position)
{
    int64_t low = held->offsets[page], high = held->offsets[page + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (held->end[middle] <= position) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Cut [start, end) where relevance begins and ends, and read the chosen segments. */
static void read_range(Order *order, int64_t page, int64_t start, int64_t end, Chosen chosen)
{
    const Held *relevant = &order->relevant;
    int64_t number = first_ending_after(relevant, page, start);
    while (start < end) {
        int inside = number < relevant->offsets[page + 1] && relevant->start[number] < end;
        int64_t begin = inside ? relevant->start[number] : end;
        if (begin > start && chosen != RELEVANT) add_segment(order, start, begin - start, 0);
        if (!inside) return;
        if (begin < start) begin = start;
        int64_t stop = relevant->end[number] < end ? relevant->end[number] : end;
        if (stop > begin && chosen != OTHER) add_segment(order, begin, stop - begin, 1);
        start = stop;
        number++;
    }
}

static void read_rest(Order *order, int64_t page, Chosen chosen)
{
    int64_t place = 0, horizon = order->horizon[page];
    for (int64_t number = order->covered.offsets[page]; number < order->covered.offsets[page + 1];
         number++) {
        int64_t stop = order->covered.start[number];
        read_range(order, page, place, stop < horizon ? stop : horizon, chosen);
        place = order->covered.end[number];
    }
    read_range(order, page, place, horizon, chosen);
}

static void read_page(Order *order, int64_t page, const int64_t *pieces, int64_t count)
{
    for (int64_t number = 0; number < count; number++) {
        int64_t piece = pieces[number];
        int again = order->by_place && number
            && order->place[piece] == order->place[pieces[number - 1]];
        if (order->penalty && !again) add_segment(order, order->start[piece], order->penalty, 0);
        read_range(order, page, order->start[piece], order->end[piece], ALL);
    }
    if (order->after == ALL || order->natural[page]) {
        read_rest(order, page, ALL);
    } else {
        read_rest(order, page, order->after == RELEVANT ? OTHER : RELEVANT);
        read_rest(order, page, order->after == RELEVANT ? RELEVANT : OTHER);
    }
}

static PyObject *core_reading(PyObject *self, PyObject *args)
{
    (void)self;
    Column columns[16];
    Order order;
    long long after, penalty;
    int by_place, fine = 1, in_memory = 1;
    PyObject *given, *result = NULL;
    memset(&order, 0, sizeof order);
    if (!PyArg_ParseTuple(args, "LLpO", &after, &penalty, &by_place, &given)) return NULL;
    if (!PyTuple_Check(given)) return wrong(LENGTHS);
    if (!hold_all(columns, given, "iii" "iii" "iiii" "ib" "IIIB")) goto done;
    int64_t pieces = length_of(&columns[6]), pages = length_of(&columns[10]);
    order.room = length_of(&columns[13]);
    int lengths = held_of(&order.relevant, columns) && held_of(&order.covered, columns + 3)
        && order.relevant.owners == pages && order.covered.owners == pages
        && length_of(&columns[7]) == pieces && length_of(&columns[8]) == pieces
        && length_of(&columns[9]) == pieces && length_of(&columns[11]) == pages
        && length_of(&columns[12]) == pages + 1 && length_of(&columns[14]) == order.room
        && length_of(&columns[15]) == order.room;
    /* A piece or gap is cut at both ends of each range that it meets, and they meet at most once
       more often than there are of both. */
    if (!lengths || order.room < 4 * pieces + 4 * order.relevant.count
                                     + 3 * (order.covered.count + pages)) {
        wrong(LENGTHS);
        goto done;
    }
    Py_BEGIN_ALLOW_THREADS
    const int64_t *page = integers(&columns[6]);
    int64_t *offsets = integers(&columns[12]);
    Groups groups = {NULL, NULL};
    order.place = integers(&columns[7]);
    order.start = integers(&columns[8]);
    order.end = integers(&columns[9]);
    order.horizon = integers(&columns[10]);
    order.natural = bytes_in(&columns[11]);
    order.at = integers(&columns[13]);
    order.length = integers(&columns[14]);
    order.is_relevant = bytes_in(&columns[15]);
    order.after = after;
    order.penalty = penalty;
    order.by_place = by_place;
    fine = owners_fit(page, pieces, pages);
    in_memory = !fine || group_rows(&groups, page, pieces, pages);
    for (int64_t number = 0; fine && in_memory && number < pages; number++) {
        int64_t begin = groups.offsets[number];
        offsets[number] = order.count;
        read_page(&order, number, groups.rows + begin, groups.offsets[number + 1] - begin);
    }
    if (fine && in_memory) offsets[pages] = order.count;
    fine = fine && !order.is_full;
    free_groups(&groups);
    Py_END_ALLOW_THREADS
    if (!in_memory) PyErr_NoMemory();
    else if (!fine) wrong(OUTSIDE);
    else result = PyLong_FromLongLong(order.count);
done:
    release(columns, 16);
    return result;
}

#define RANGES_METHODS                                   \
    {"union_ranges", core_union_ranges, METH_VARARGS, NULL}, \
    {"sharing", core_sharing, METH_VARARGS, NULL},       \
    {"covered", core_covered, METH_VARARGS, NULL},       \
    {"first_read", core_first_read, METH_VARARGS, NULL}, \
    {"answer_curve", core_answer_curve, METH_VARARGS, NULL}, \
    {"reading", core_reading, METH_VARARGS, NULL},
