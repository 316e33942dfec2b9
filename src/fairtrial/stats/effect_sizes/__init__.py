"""How large is it? Effects with their intervals."""
