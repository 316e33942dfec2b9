"""Names that are no markup, and the doors through which results come."""

EVIL = "<script>alert(1)</script>"
QUOTES = "a\"b'c & $x_1$"
DOORS = ("study", "scores", "predictions", "few")
HARD = (
    EVIL,
    QUOTES,
    "]]>",
    "<img src=x onerror=alert(2)>",
    "100 % of {a}_b^2 \\ # ~",
    "🌲 forest",
    "غابة عشوائية",
    "javascript:alert(3)",
    "a name of eighty characters, as people make them who write all settings into a name",
)
