"""One immutable description of a table, several renderers; number formats written once."""

from fairtrial.tables import formats
from fairtrial.tables.table import FORMATS, Column, Table

__all__ = ["FORMATS", "Column", "Table", "formats"]
