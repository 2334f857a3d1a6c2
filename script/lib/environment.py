"""Virtual environments with Python packages in given versions."""

import subprocess
from pathlib import Path


def installed(folder: Path, requirements: Path) -> Path:
    """Installs packages into a virtual environment, unless they are there; returns its Python."""
    python, kept = folder / "bin" / "python3", folder / requirements.name
    wanted = requirements.read_text()
    if not kept.exists() or kept.read_text() != wanted:
        subprocess.run(["/usr/bin/python3", "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet",
                        "--disable-pip-version-check", "-r", str(requirements)], check=True)
        kept.write_text(wanted)
    return python
