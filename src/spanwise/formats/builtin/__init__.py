"""The formats that come with spanwise: one module for each, named after the format.

A module declares one record, ``FORMAT``, and lies in the folder for files that begin like its own
(``registry.Shape``): formats of another shape are not even loaded. Nothing else lists the formats.
"""
