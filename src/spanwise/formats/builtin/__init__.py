"""The formats that come with spanwise: one module for each, named after the format.

A module declares one record, ``FORMAT``. Nothing else lists the formats: see ``registry.py``.
"""
