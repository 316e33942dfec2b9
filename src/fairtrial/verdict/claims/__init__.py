"""Claims about one method, tested."""
