"""Names that are no markup, and the doors through which results come."""

EVIL = "<script>alert(1)</script>"
QUOTES = "a\"b'c & $x_1$"
DOORS = ("study", "scores", "predictions", "few")
