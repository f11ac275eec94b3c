"""Where a score comes from: the steps of every measure, as tables that end in its value."""
