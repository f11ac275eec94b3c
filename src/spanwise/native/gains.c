/* The credit rule of element gains, as in measures/gains/ledger.py: the same operations on doubles
   in the same order, and exact sums, so that both give the same bits. */
#include <float.h>
#include <math.h>

#if FLT_EVAL_METHOD != 0
#error "the native core needs plain 64-bit doubles; build with SPANWISE_BUILD=pure"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#define NO_PARENT INT64_C(-1)
#define NO_NODE INT64_C(-1)

/* What is assessed: elements of all trees, and nodes, which are the elements of judged pairs that
   are worth something, sorted by pair and element. */
typedef struct {
    const int64_t *parent, *size;
    int64_t elements;
    const int64_t *first, *beyond, *begin;
    int64_t pairs;
    const int64_t *element, *place;
    const double *worth;
    const uint8_t *ideal;
    int64_t nodes;
    const int64_t *children_begin, *child;
    int64_t children;
} GainBase;

/* The answers of a batch; those of a page stand together in `order`. */
typedef struct {
    const int64_t *order, *page, *pair, *element, *target, *near_node;
    const double *near_worth;
    const uint8_t *inside;
    int64_t count;
} GainAnswers;

typedef struct {
    double credit;
    int64_t node;
} GainCredit;

/* The page that is read now. Nodes are counted from `begin`, elements from `first`. */
typedef struct {
    const GainBase *base;
    double alpha, nothing;
    uint8_t *drawn;
    int64_t drawn_count, target;
    int64_t first, beyond, begin, end;
    double *value, *credit, *partial;
    int64_t *node_of, *ideal;
    int64_t ideals;
    int64_t *returned, round;
    GainCredit *group;
} GainPage;

/* The exact sum, rounded once: Shewchuk's partial sums, as in math.fsum. */
typedef struct {
    double *partial;
    int64_t count;
} ExactSum;

static void add_exactly(ExactSum *sum, double added)
{
    int64_t kept = 0;
    for (int64_t number = 0; number < sum->count; number++) {
        double other = sum->partial[number];
        if (fabs(added) < fabs(other)) {
            double larger = other;
            other = added;
            added = larger;
        }
        double high = added + other;
        double low = other - (high - added);
        if (low != 0.0) sum->partial[kept++] = low;
        added = high;
    }
    sum->partial[kept] = added;
    sum->count = kept + 1;
}

static double rounded_sum(const ExactSum *sum)
{
    int64_t number = sum->count;
    if (number == 0) return 0.0;
    double high = sum->partial[--number], low = 0.0;
    while (number > 0) {
        double before = high, added = sum->partial[--number];
        high = before + added;
        low = added - (high - before);
        if (low != 0.0) break;
    }
    /* Half-way cases go by the sign of what lies beyond. */
    if (number > 0 && ((low < 0.0 && sum->partial[number - 1] < 0.0) ||
                       (low > 0.0 && sum->partial[number - 1] > 0.0))) {
        double twice = low * 2.0, moved = high + twice;
        if (twice == moved - high) high = moved;
    }
    return high;
}

/* The node of an element of this page, or NO_NODE. Entries of earlier pages are told by the check,
   so that nothing need be cleared. */
static int64_t node_at(const GainPage *page, int64_t element)
{
    int64_t node = page->node_of[element - page->first];
    if (node < page->begin || node >= page->end) return NO_NODE;
    return page->base->element[node] == element ? node : NO_NODE;
}

/* The parent of an element of this page; one that is not before it in the page is refused. */
static int parent_of(const GainPage *page, int64_t element, int64_t *parent)
{
    *parent = page->base->parent[element];
    return *parent == NO_PARENT || (*parent >= page->first && *parent < element);
}

/* Whether a node of the page lies in its tree, and its children in the page. */
static int gain_node_holds(const GainPage *page, int64_t node)
{
    const GainBase *base = page->base;
    int64_t element = base->element[node], row = base->children_begin[node];
    int64_t after = base->children_begin[node + 1];
    if (element < page->first || element >= page->beyond) return 0;
    if (row < 0 || row > after || after > base->children) return 0;
    if (after - row > page->end - page->begin) return 0;
    for (; row < after; row++)
        if (base->child[row] < page->begin || base->child[row] >= page->end) return 0;
    return 1;
}

static int open_gain_page(GainPage *page, int64_t pair, int64_t target)
{
    const GainBase *base = page->base;
    page->first = base->first[pair];
    page->beyond = base->beyond[pair];
    page->begin = base->begin[pair];
    page->end = base->begin[pair + 1];
    page->target = target;
    page->ideals = 0;
    page->round++;
    for (int64_t node = page->begin; node < page->end; node++) {
        if (!gain_node_holds(page, node)) return 0;
        page->node_of[base->element[node] - page->first] = node;
        page->value[node - page->begin] = base->worth[node];
        page->credit[node - page->begin] = base->worth[node];
        if (base->ideal[node]) page->ideal[page->ideals++] = node;
    }
    return 1;
}

static int draw_from(GainPage *page, int64_t node)
{
    int64_t place = page->base->place[node];
    if (place < 0 || place >= page->drawn_count - page->target) return 0;
    page->drawn[page->target + place] = 1;
    return 1;
}

/* What the children of a node are worth by now, weighted by their share of its text. */
static double children_share(const GainPage *page, int64_t node)
{
    const GainBase *base = page->base;
    int64_t size = base->size[base->element[node]];
    ExactSum sum = {page->partial, 0};
    if (size <= 0) return 0.0;
    for (int64_t row = base->children_begin[node]; row < base->children_begin[node + 1]; row++) {
        int64_t child = base->child[row];
        double weight = (double)base->size[base->element[child]];
        add_exactly(&sum, page->value[child - page->begin] * weight);
    }
    return rounded_sum(&sum) / (double)size;
}

/* Recompute the values of an element and of its ancestors, from below. */
static int pass_upward(GainPage *page, int64_t element)
{
    while (element != NO_PARENT) {
        int64_t node = node_at(page, element);
        if (node != NO_NODE) {
            double quant = page->base->worth[node];
            double share = page->alpha * children_share(page, node);
            double left = share + (1 - page->alpha) * quant;
            page->value[node - page->begin] = left < quant ? left : quant;
        }
        if (!parent_of(page, element, &element)) return 0;
    }
    return 1;
}

/* Whether an element or one of its ancestors was returned; -1 if the tree is none. */
static int was_seen(const GainPage *page, int64_t element)
{
    while (element != NO_PARENT) {
        if (page->returned[element - page->first] == page->round) return 1;
        if (!parent_of(page, element, &element)) return -1;
    }
    return 0;
}

static int by_credit(const void *one, const void *other)
{
    const GainCredit *left = one, *right = other;
    if (left->credit != right->credit) return left->credit > right->credit ? -1 : 1;
    return left->node < right->node ? -1 : left->node > right->node;
}

/* Take an amount from the credits of a group, the largest first. */
static int take_credit(GainPage *page, int64_t count, double amount)
{
    double left = amount;
    if (count > 1 && amount != 0.0)
        qsort(page->group, (size_t)count, sizeof(GainCredit), by_credit);
    for (int64_t number = 0; number < count; number++) {
        int64_t node = page->group[number].node;
        double credit = page->group[number].credit;
        double taken = credit < left ? credit : left;
        if (taken > page->nothing && !draw_from(page, node)) return 0;
        double rest = credit - taken;
        page->credit[node - page->begin] = rest > page->nothing ? rest : 0.0;
        left -= taken;
    }
    return 1;
}

static int take_from(GainPage *page, int64_t node, double worth, double *gain)
{
    double credit = page->credit[node - page->begin];
    *gain = credit < worth ? credit : worth;
    page->group[0] = (GainCredit){credit, node};
    return take_credit(page, 1, *gain);
}

/* The ideal elements inside an element that is not inside one, in document order. */
static int64_t gather_below(GainPage *page, int64_t element)
{
    int64_t count = 0;
    for (int64_t number = 0; number < page->ideals; number++) {
        int64_t node = page->ideal[number], above = page->base->element[node];
        /* A parent stands before its children. */
        while (above > element)
            if (!parent_of(page, above, &above)) return -1;
        if (above == element)
            page->group[count++] = (GainCredit){page->credit[node - page->begin], node};
    }
    return count;
}

/* As much of the worth as the ideal elements around a node have credit for. */
static int pay_for(GainPage *page, int64_t node, double worth, double *gain)
{
    const GainBase *base = page->base;
    if (page->alpha == 0) {
        *gain = worth;
        return draw_from(page, node) && (!base->ideal[node] || take_from(page, node, worth, gain));
    }
    int64_t element = base->element[node];
    for (int64_t around = element; around != NO_PARENT;) {
        int64_t found = node_at(page, around);
        if (found != NO_NODE && base->ideal[found]) return take_from(page, found, worth, gain);
        if (!parent_of(page, around, &around)) return 0;
    }
    int64_t count = gather_below(page, element);
    if (count < 0) return 0;
    ExactSum sum = {page->partial, 0};
    for (int64_t number = 0; number < count; number++)
        add_exactly(&sum, page->group[number].credit);
    double credit = rounded_sum(&sum);
    *gain = credit < worth ? credit : worth;
    return take_credit(page, count, *gain);
}

/* What an answer gains; 0 if the columns contradict each other. */
static int gain_answer(GainPage *page, const GainAnswers *answers, int64_t row, double *gain)
{
    int64_t element = answers->element[row];
    int seen = was_seen(page, element);
    *gain = 0.0;
    if (seen < 0) return 0;
    if (answers->inside[row]) return seen || pass_upward(page, element);
    int again = page->returned[element - page->first] == page->round;
    int64_t node = node_at(page, element), near = answers->near_node[row];
    double left = again && page->alpha == 0 ? 0.0 : 1 - page->alpha;
    if (node != NO_NODE) {
        double quant = page->base->worth[node];
        double worth = seen ? left * quant : page->value[node - page->begin];
        if (!pay_for(page, node, worth, gain)) return 0;
        if (!seen) page->value[node - page->begin] = (1 - page->alpha) * quant;
    } else if (near != NO_NODE) {
        if (near < page->begin || near >= page->end) return 0;
        double worth = answers->near_worth[row];
        if (!take_from(page, near, seen ? worth * left : worth, gain)) return 0;
    }
    int64_t parent;
    if (!parent_of(page, element, &parent)) return 0;
    if (!seen && !pass_upward(page, parent)) return 0;
    page->returned[element - page->first] = page->round;
    if (!(*gain > page->nothing)) *gain = 0.0;
    return 1;
}

static int gain_answers(GainPage *page, const GainAnswers *answers, double *gain)
{
    for (int64_t number = 0; number < answers->count; number++) {
        int64_t row = answers->order[number];
        if (number == 0 || answers->page[row] != answers->page[answers->order[number - 1]])
            if (!open_gain_page(page, answers->pair[row], answers->target[row])) return 0;
        int64_t element = answers->element[row];
        if (element < page->first || element >= page->beyond) return 0;
        if (!gain_answer(page, answers, row, &gain[row])) return 0;
    }
    return 1;
}

/* Whether the numbers of an answer are within the columns; those of its nodes are checked when its
   page is opened. */
static int gain_answer_holds(const GainBase *base, const GainAnswers *answers, int64_t row,
                             int64_t drawn)
{
    int64_t next = answers->order[row], pair = answers->pair[row], target = answers->target[row];
    if (next < 0 || next >= answers->count || target < 0 || target > drawn) return 0;
    if (pair < 0 || pair >= base->pairs) return 0;
    int64_t first = base->first[pair], beyond = base->beyond[pair];
    int64_t begin = base->begin[pair], end = base->begin[pair + 1];
    return first >= 0 && first <= beyond && beyond <= base->elements && begin >= 0 &&
           begin <= end && end <= base->nodes;
}

/* Room for the largest page that the answers open; 0 if there is not that much memory. */
static int make_gain_room(GainPage *page, const GainAnswers *answers)
{
    const GainBase *base = page->base;
    size_t nodes = 1, elements = 1;
    for (int64_t row = 0; row < answers->count; row++) {
        int64_t pair = answers->pair[row];
        size_t own = (size_t)(base->begin[pair + 1] - base->begin[pair]);
        size_t all = (size_t)(base->beyond[pair] - base->first[pair]);
        if (own > nodes) nodes = own;
        if (all > elements) elements = all;
    }
    page->value = malloc(nodes * sizeof(double));
    page->credit = malloc(nodes * sizeof(double));
    page->partial = malloc((nodes + 1) * sizeof(double));
    page->ideal = malloc(nodes * sizeof(int64_t));
    page->group = malloc(nodes * sizeof(GainCredit));
    page->node_of = calloc(elements, sizeof(int64_t));
    page->returned = calloc(elements, sizeof(int64_t));
    return page->value && page->credit && page->partial && page->ideal && page->group &&
           page->node_of && page->returned;
}

static void clear_gain_room(GainPage *page)
{
    free(page->value);
    free(page->credit);
    free(page->partial);
    free(page->ideal);
    free(page->group);
    free(page->node_of);
    free(page->returned);
}

typedef enum { GAINS_FOUND, GAINS_CONTRADICTORY, GAINS_WITHOUT_MEMORY } GainStatus;

static GainStatus read_pages(GainPage *page, const GainAnswers *answers, double *gain)
{
    for (int64_t row = 0; row < answers->count; row++)
        if (!gain_answer_holds(page->base, answers, row, page->drawn_count))
            return GAINS_CONTRADICTORY;
    GainStatus status = GAINS_WITHOUT_MEMORY;
    if (make_gain_room(page, answers))
        status = gain_answers(page, answers, gain) ? GAINS_FOUND : GAINS_CONTRADICTORY;
    clear_gain_room(page);
    return status;
}

/* Take hold of every column of a tuple. */
static int hold_gain_columns(Column *columns, PyObject *tuple, const Kind *kinds, Py_ssize_t count)
{
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != count) {
        PyErr_Format(PyExc_TypeError, "a tuple of %zd columns was expected", count);
        return 0;
    }
    for (Py_ssize_t number = 0; number < count; number++)
        if (!hold(&columns[number], PyTuple_GetItem(tuple, number), kinds[number], 0)) return 0;
    return 1;
}

static int gain_columns_have(const Column *columns, int count, int64_t length)
{
    for (int number = 0; number < count; number++)
        if (length_of(&columns[number]) != length) return 0;
    return 1;
}

enum { TREE_COLUMNS = 2, PAIR_COLUMNS = 3, NODE_COLUMNS = 6, ANSWER_COLUMNS = 8 };
enum { ALL_GAIN_COLUMNS = TREE_COLUMNS + PAIR_COLUMNS + NODE_COLUMNS + ANSWER_COLUMNS + 2 };

/* element_gains((parent, size), (first, beyond, begin), (element, place, worth, ideal,
   children_begin, child), (order, page, pair, element, target, near_node, near_worth, inside),
   alpha, nothing, gain, drawn): fills the last two. */
static PyObject *element_gains(PyObject *self, PyObject *arguments)
{
    static const Kind tree_kinds[TREE_COLUMNS] = {INT64, INT64};
    static const Kind pair_kinds[PAIR_COLUMNS] = {INT64, INT64, INT64};
    static const Kind node_kinds[NODE_COLUMNS] = {INT64, INT64, DOUBLE, BYTE, INT64, INT64};
    static const Kind answer_kinds[ANSWER_COLUMNS] = {INT64, INT64, INT64,  INT64,
                                                      INT64, INT64, DOUBLE, BYTE};
    PyObject *tree_tuple, *pair_tuple, *node_tuple, *answer_tuple, *gain_object, *drawn_object;
    Column columns[ALL_GAIN_COLUMNS] = {0};
    Column *tree = columns, *pair = tree + TREE_COLUMNS, *node = pair + PAIR_COLUMNS;
    Column *answer = node + NODE_COLUMNS, *gain = answer + ANSWER_COLUMNS, *drawn = gain + 1;
    GainPage page = {0};
    GainStatus status = GAINS_CONTRADICTORY;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOOddOO", &tree_tuple, &pair_tuple, &node_tuple,
                          &answer_tuple, &page.alpha, &page.nothing, &gain_object, &drawn_object))
        return NULL;
    if (!hold_gain_columns(tree, tree_tuple, tree_kinds, TREE_COLUMNS) ||
        !hold_gain_columns(pair, pair_tuple, pair_kinds, PAIR_COLUMNS) ||
        !hold_gain_columns(node, node_tuple, node_kinds, NODE_COLUMNS) ||
        !hold_gain_columns(answer, answer_tuple, answer_kinds, ANSWER_COLUMNS) ||
        !hold(gain, gain_object, DOUBLE, 1) || !hold(drawn, drawn_object, BYTE, 1)) {
        release(columns, ALL_GAIN_COLUMNS);
        return NULL;
    }
    GainBase base = {
        .parent = integers(&tree[0]),
        .size = integers(&tree[1]),
        .elements = length_of(&tree[0]),
        .first = integers(&pair[0]),
        .beyond = integers(&pair[1]),
        .begin = integers(&pair[2]),
        .pairs = length_of(&pair[0]),
        .element = integers(&node[0]),
        .place = integers(&node[1]),
        .worth = doubles(&node[2]),
        .ideal = bytes_in(&node[3]),
        .nodes = length_of(&node[0]),
        .children_begin = integers(&node[4]),
        .child = integers(&node[5]),
        .children = length_of(&node[5]),
    };
    GainAnswers answers = {
        .order = integers(&answer[0]),
        .page = integers(&answer[1]),
        .pair = integers(&answer[2]),
        .element = integers(&answer[3]),
        .target = integers(&answer[4]),
        .near_node = integers(&answer[5]),
        .near_worth = doubles(&answer[6]),
        .inside = bytes_in(&answer[7]),
        .count = length_of(&answer[0]),
    };
    page.base = &base;
    page.drawn = bytes_in(drawn);
    page.drawn_count = length_of(drawn);
    if (gain_columns_have(tree, TREE_COLUMNS, base.elements) &&
        gain_columns_have(pair, 2, base.pairs) &&
        gain_columns_have(&pair[2], 1, base.pairs + 1) && gain_columns_have(node, 4, base.nodes) &&
        gain_columns_have(&node[4], 1, base.nodes + 1) &&
        gain_columns_have(answer, ANSWER_COLUMNS, answers.count) &&
        gain_columns_have(gain, 1, answers.count)) {
        Py_BEGIN_ALLOW_THREADS
        status = read_pages(&page, &answers, doubles(gain));
        Py_END_ALLOW_THREADS
    }
    release(columns, ALL_GAIN_COLUMNS);
    if (status == GAINS_WITHOUT_MEMORY) return PyErr_NoMemory();
    if (status == GAINS_CONTRADICTORY) {
        PyErr_SetString(PyExc_ValueError, "columns of element gains that contradict each other");
        return NULL;
    }
    Py_RETURN_NONE;
}

/* -- elements by path */

enum { PATH_BITS = 32 };

/* Where a key is among the sorted keys of one document, or -1. */
static int64_t key_place(const int64_t *keys, int64_t low, int64_t high, int64_t key)
{
    int64_t end = high;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && keys[low] == key ? low : -1;
}

static int find_paths(const int64_t *slot, const int64_t *path, int64_t count,
                      const int64_t *offsets, int64_t documents, const int64_t *keys,
                      const int64_t *element, int64_t elements, int64_t *found)
{
    for (int64_t row = 0; row < count; row++) {
        found[row] = -1;
        if (slot[row] < 0 || path[row] < 0) continue;
        if (slot[row] >= documents || slot[row] >> (63 - PATH_BITS)) return 0;
        int64_t low = offsets[slot[row]], high = offsets[slot[row] + 1];
        if (low < 0 || low > high || high > elements) return 0;
        int64_t place = key_place(keys, low, high, (slot[row] << PATH_BITS) | path[row]);
        if (place >= 0) found[row] = element[place];
    }
    return 1;
}

/* find_elements(slot, path, offsets, keys, element, found): fills the last one. The keys of each
   document, its number and a path's, are sorted and lie between its offsets. */
static PyObject *find_elements(PyObject *self, PyObject *arguments)
{
    enum { FOUND = 5, COLUMNS };
    PyObject *objects[COLUMNS];
    Column columns[COLUMNS] = {0};
    int held = 1, good;
    (void)self;
    if (!PyArg_ParseTuple(arguments, "OOOOOO", &objects[0], &objects[1], &objects[2], &objects[3],
                          &objects[4], &objects[FOUND]))
        return NULL;
    for (int number = 0; held && number < COLUMNS; number++)
        held = hold(&columns[number], objects[number], INT64, number == FOUND);
    if (!held) {
        release(columns, COLUMNS);
        return NULL;
    }
    int64_t count = length_of(&columns[0]), documents = length_of(&columns[2]) - 1;
    int64_t elements = length_of(&columns[3]);
    good = length_of(&columns[1]) == count && length_of(&columns[FOUND]) == count &&
           length_of(&columns[4]) == elements && documents >= 0;
    if (good) {
        Py_BEGIN_ALLOW_THREADS
        good = find_paths(integers(&columns[0]), integers(&columns[1]), count,
                          integers(&columns[2]), documents, integers(&columns[3]),
                          integers(&columns[4]), elements, integers(&columns[FOUND]));
        Py_END_ALLOW_THREADS
    }
    release(columns, COLUMNS);
    if (!good) {
        PyErr_SetString(PyExc_ValueError, "columns of elements that contradict each other");
        return NULL;
    }
    Py_RETURN_NONE;
}

#define GAINS_METHODS                                   \
    {"element_gains", element_gains, METH_VARARGS, NULL}, \
    {"find_elements", find_elements, METH_VARARGS, NULL},
