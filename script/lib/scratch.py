"""The folder in which a script keeps the homes and logs of one run."""

import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch_folder(name: str, is_kept: Callable[[], bool] = lambda: False) -> Iterator[Path]:
    """Makes a folder and removes it at the end, unless `is_kept` says otherwise, or the script ends
    by an exception or a signal: then the folder's path is printed."""
    # Python ends at once at this signal unless something handles it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    folder = Path(tempfile.mkdtemp(prefix=f"waggle-{name}."))
    is_done = False
    try:
        yield folder
        is_done = True
    finally:
        if is_done and not is_kept():
            shutil.rmtree(folder, ignore_errors=True)
        else:
            print(f"homes and logs: {folder}", flush=True)
