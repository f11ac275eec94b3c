"""What each experiment found, ready to be shown."""
