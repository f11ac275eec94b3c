"""Results for people and for programs: tables, rows, pages about measures."""
