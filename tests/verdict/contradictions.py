"""Count contradictions of verdicts over very many random worlds; it goes on where it was stopped.

    python tests/verdict/contradictions.py --worlds 20000 --state contradictions.json --seconds 3000 [--part 0/2]

The worlds are those of test_consistency.py. ``--part`` takes every second one, so that two processes share the
work, each with a state of its own. The state has how many were judged, and each contradiction with its seed.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent)]

from test_consistency import world  # noqa: E402

from fairtrial.verdict import check_consistency  # noqa: E402


def main() -> int:
    """Judge worlds until all are done or the time is over; 1 if there was a contradiction or an error."""
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--worlds", type=int, default=20_000)
    wanted.add_argument("--state", type=Path, default=Path("contradictions.json"))
    wanted.add_argument("--seconds", type=float, default=3000)
    wanted.add_argument("--part", default="0/1")
    given = wanted.parse_args()
    first, parts = map(int, given.part.split("/"))
    state = json.loads(given.state.read_text()) if given.state.exists() else {"next": first, "judged": 0, "found": {}}
    end = time.monotonic() + given.seconds
    while state["next"] < given.worlds and time.monotonic() < end:
        seed = state["next"]
        results, asked = world(seed)
        try:
            found = check_consistency(results.verdict(**asked))
        except Exception as error:  # noqa: BLE001 - it is counted
            found = (f"{type(error).__name__}: {error}",)
        if found:
            state["found"][str(seed)] = list(found)
        state["next"], state["judged"] = seed + parts, state["judged"] + 1
        if state["judged"] % 100 == 0:
            given.state.write_text(json.dumps(state, indent=1))
    given.state.write_text(json.dumps(state, indent=1))
    print(f"{state['judged']:,} worlds judged, {len(state['found'])} with a contradiction")
    return int(bool(state["found"]))


if __name__ == "__main__":
    raise SystemExit(main())
