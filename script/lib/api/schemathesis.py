"""Runs Schemathesis, which tests an HTTP API against its own OpenAPI document."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

# The packages and their versions.
REQUIREMENTS = Path(__file__).with_name("requirements.txt")
SEED = 1
RUN_SECONDS_MAX = 50 * 60
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass
class Verdict:
    """The result of a run."""

    # Each operation that was tested, as in `GET /v1/me/show`, with the kinds of its failures.
    kinds: dict[str, list[str]]
    # How many cases were generated.
    cases: int
    # Why the run as a whole counts as failed; empty if it does not.
    trouble: str

    def add(self, other: "Verdict") -> None:
        """Adds the result of another run, of other operations."""
        self.kinds |= other.kinds
        self.cases += other.cases
        self.trouble = self.trouble or other.trouble


def operations(document: dict) -> list[str]:
    """All operations of an OpenAPI document, in order."""
    return sorted(f"{method.upper()} {path}" for path, methods in document["paths"].items()
                  for method in methods if method in METHODS)


def run(python: Path, port: int, document: dict, tried: list[str], examples: int, scratch: Path,
        *options: str) -> Verdict:
    """Tests these operations of the API at a port, each at most `examples` times in each phase.

    Its output is kept in `scratch/said.txt`.
    """
    left_out = "|".join(re.escape(each.split()[1]) for each in operations(document)
                        if each not in tried)
    scratch.mkdir(parents=True, exist_ok=True)
    report, said = scratch / "report.json", scratch / "said.txt"
    report.unlink(missing_ok=True)
    with said.open("wb") as output:
        done = subprocess.run([
            str(python), "-m", "schemathesis.cli", "run",
            f"http://127.0.0.1:{port}/v1/openapi.json",
            "--checks", "all", "--seed", str(SEED), "--max-examples", str(examples),
            "--continue-on-failure", "--no-shrink", "--no-color", "--request-timeout", "20",
            "--generation-deterministic",
            "--exclude-path-regex", f"^({left_out})$",
            "--report", "json", "--report-json-path", str(report), *options,
        ], cwd=scratch, stdout=output, stderr=subprocess.STDOUT, timeout=RUN_SECONDS_MAX)
    if not report.exists():
        return Verdict({}, 0,
                       f"schemathesis ended with {done.returncode} and made no report")
    return verdict(json.loads(report.read_text()), tried, done.returncode)


def verdict(report: dict, tried: list[str], exit_code: int) -> Verdict:
    """Reads a report: a failure of another method of a path, such as TRACE, is one of its
    operations'."""
    kinds: dict[str, list[str]] = {each: [] for each in tried}
    for failure in report["failures"]:
        for label in failure["operations"]:
            path = label.split()[-1]
            own = label if label in kinds else next(
                (each for each in tried if each.endswith(f" {path}")), None)
            kinds.setdefault(own or label, []).append(failure["title"])
    trouble = ""
    if not report["complete"]:
        trouble = f"the run did not come to its end: {report['stop_reason']}"
    elif report["errors"]:
        trouble = f"schemathesis had errors: {json.dumps(report['errors'])[:400]}"
    elif report["operations"]["tested"] != len(tried):
        trouble = f"{report['operations']['tested']} of {len(tried)} operations were tried"
    elif exit_code != 0 and not report["failures"]:
        trouble = f"schemathesis ended with {exit_code}"
    return Verdict(kinds, report["test_cases"]["generated"], trouble)
