"""The papers' experiments: does a measure measure what it should, can its verdicts be trusted?

An experiment is a generator: it yields a :class:`~spanwise.lab.experiment.Step` now and then, and
returns what it found. :func:`~spanwise.lab.experiment.finished` runs one to its end. What was found
can be shown as a :class:`~spanwise.lab.chapter.Chapter`.
"""
