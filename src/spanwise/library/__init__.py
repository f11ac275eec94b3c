"""The Python face: every command of the command line as a function."""
