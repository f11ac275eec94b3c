"""What becomes of scores when somebody else assesses."""
