"""How far a study file is: without numpy, so that the answer comes at once."""

from __future__ import annotations

from fairtrial.store.file import StudyFile
from fairtrial.tables import Column, Table, formats

__all__ = ["status_table"]


def status_table(file: StudyFile) -> Table:
    """Data set × method: done, failed and missing trials, time spent, time left; failures grouped below."""
    revision = file.revision()
    rows = file.query(
        "SELECT d.name, m.name, SUM(t.status = 'ok'), SUM(t.status = 'failed'), SUM(t.status = 'waiting'), "
        "SUM(t.fit_time + COALESCE(t.predict_time, 0)), AVG(t.fit_time + COALESCE(t.predict_time, 0)) "
        "FROM trial t JOIN dataset d ON d.id = t.dataset JOIN method m ON m.id = t.method "
        "WHERE t.revision = ? GROUP BY t.dataset, t.method ORDER BY t.dataset, t.method",
        revision,
    )
    body = tuple((*row[:6], None if row[6] is None else row[4] * row[6]) for row in rows)
    done, failed, missing = (formats.count(sum(row[i] for row in rows)) for i in (2, 3, 4))
    columns = (
        Column("data set", align="left"),
        Column("method", align="left"),
        Column("done"),
        Column("failed"),
        Column("missing"),
        Column("time spent", formats.duration),
        Column("time left", formats.duration),
    )
    total = formats.count(sum(sum(row[2:5]) for row in rows))
    counts = f"{done} of {total} trials done, {failed} failed, {missing} missing"
    return Table(columns=columns, rows=body, caption=counts, notes=tuple(_failures(file, revision)))


def _failures(file: StudyFile, revision: int) -> list[str]:
    rows = file.query(
        "SELECT m.name, d.name, t.error FROM trial t JOIN dataset d ON d.id = t.dataset "
        "JOIN method m ON m.id = t.method WHERE t.revision = ? AND t.status = 'failed'",
        revision,
    )
    groups: dict[tuple[str, str, str], int] = {}
    for method, dataset, error in rows:
        group = (method, dataset, (error or "").split("\n")[0])
        groups[group] = groups.get(group, 0) + 1
    return [f"failed: {m} on {d}, {n}×: {reason}" for (m, d, reason), n in groups.items()]
