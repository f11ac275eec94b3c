/* The optional native core of spanwise: one translation unit, C11, stable ABI.

   It makes integers and correctly rounded decimals only; formulas stay in NumPy. Whatever is
   doubtful is handed back to Python, which has the careful reader and all messages. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "buffers.h"
#include "names.h"

#include "scan.c"
#include "jsonl.c"
#include "pairs.c"
#include "ranges.c"
#include "objects.c"
#include "gains.c"

static PyMethodDef methods[] = {
    SCAN_METHODS
    JSONL_METHODS
    PAIRS_METHODS
    RANGES_METHODS
    OBJECTS_METHODS
    GAINS_METHODS
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_core", "The native core of spanwise.", -1, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModule_Create(&module); }
