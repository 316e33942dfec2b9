"""The start of a worker process, ``python -m fairtrial.worker FD PARENT``, which ends with its parent.

It stands outside ``engine``, whose imports take seconds: a worker whose parent is killed meanwhile must end, too.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

LOOK_SECONDS = 0.5


def _end_with(parent: int) -> None:
    """End this process, and all that it has started, when its parent is gone, even in the middle of a fit."""
    while os.getppid() == parent:
        time.sleep(LOOK_SECONDS)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def main() -> None:
    threading.Thread(target=_end_with, args=(int(sys.argv[2]),), daemon=True).start()
    from fairtrial.engine.executors.worker_loop import serve

    serve(int(sys.argv[1]))


if __name__ == "__main__":
    main()
