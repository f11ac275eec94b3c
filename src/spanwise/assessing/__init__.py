"""Building test collections: pools, highlights kept in a log, agreement, adjudication."""
