"""One immutable description of a table, several renderers; number formats written once."""

from fairtrial.tables import formats
from fairtrial.tables.table import FORMATS, Column, Marked, Table

__all__ = ["FORMATS", "Column", "Marked", "Table", "formats"]
