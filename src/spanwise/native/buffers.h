/* Columns that Python hands over: contiguous buffers of 64-bit numbers, bytes or truth values. */
#ifndef SPANWISE_BUFFERS_H
#define SPANWISE_BUFFERS_H

#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Py_buffer view;
    int held;
} Column;

/* What one element of a column is. */
typedef enum { INT64, UINT64, DOUBLE, BYTE } Kind;

static int kind_fits(const Py_buffer *view, Kind kind)
{
    const char *format = view->format ? view->format : "B";
    if (*format == '@' || *format == '=' || *format == '<') format++;
    if (format[0] == '\0' || format[1] != '\0') return 0;
    switch (kind) {
    case INT64:
        return view->itemsize == 8 && strchr("lqn", *format) != NULL;
    case UINT64:
        return view->itemsize == 8 && strchr("LQN", *format) != NULL;
    case DOUBLE:
        return view->itemsize == 8 && *format == 'd';
    default:
        return view->itemsize == 1 && strchr("Bb?c", *format) != NULL;
    }
}

/* Take hold of a column; 0 with an exception set if it is not what was expected. */
static int hold(Column *column, PyObject *object, Kind kind, int writable)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    column->held = 0;
    if (PyObject_GetBuffer(object, &column->view, flags) < 0) return 0;
    column->held = 1;
    if (!kind_fits(&column->view, kind)) {
        PyErr_Format(PyExc_TypeError, "a column of another type was expected, got format %s",
                     column->view.format ? column->view.format : "B");
        return 0;
    }
    return 1;
}

static void release(Column *columns, int count)
{
    for (int number = 0; number < count; number++)
        if (columns[number].held) PyBuffer_Release(&columns[number].view);
}

static Py_ssize_t length_of(const Column *column)
{
    return column->view.len / column->view.itemsize;
}

static int64_t *integers(const Column *column) { return (int64_t *)column->view.buf; }
static uint64_t *keys_in(const Column *column) { return (uint64_t *)column->view.buf; }
static double *doubles(const Column *column) { return (double *)column->view.buf; }
static uint8_t *bytes_in(const Column *column) { return (uint8_t *)column->view.buf; }

#endif
