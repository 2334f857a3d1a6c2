"""The `waggle` binary that the scripts run, built first if need be."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Binary:
    """A built `waggle`."""

    path: Path
    is_release: bool

    @property
    def kind(self) -> str:
        """Its name in the output."""
        return "release" if self.is_release else "debug"

    @classmethod
    def built(cls, root: Path, is_release: bool) -> "Binary":
        """Sets up and builds, unless a caller that has just done so says so in WAGGLE_BUILT. A
        caller that will build again names a folder with copies of the programs in WAGGLE_PROGRAMS.
        """
        configuration = "release" if is_release else "debug"
        if "WAGGLE_BUILT" not in os.environ:
            subprocess.run([str(root / "script" / "setup")], check=True)
            for product in ("waggle", "waggle-photo"):
                done = subprocess.run(
                    ["swift", "build", "--package-path", str(root), "--product", product,
                     "--configuration", configuration], stdout=sys.stderr)
                if done.returncode != 0:
                    raise SystemExit(f"{product} could not be built; the compiler says why above")
        folder = os.environ.get("WAGGLE_PROGRAMS") or root / ".build" / configuration
        path = Path(folder) / "waggle"
        if not path.exists():
            raise SystemExit(f"{path} is not there; script/setup and swift build make it")
        return cls(path, is_release)
