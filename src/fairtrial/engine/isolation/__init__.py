"""What a method leaves behind in a process is undone before the next one is tried."""
