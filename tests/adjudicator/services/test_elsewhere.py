"""The zone of the machine decides nothing: the same mails get the same verdicts and letters wherever it stands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.adjudicator.services.stage import PIRATES, SPAIN

PLACES = ("Asia/Vladivostok", "America/New_York")


def test_verdicts_deadlines_and_letters_do_not_depend_on_the_zone_of_the_machine(tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-m", "tests.adjudicator.services.elsewhere", str(tmp_path), *PLACES]
    environment = {**os.environ, "TZ": PLACES[0], "PYTHONPATH": str(root)}
    told = subprocess.run(command, capture_output=True, cwd=root, env=environment, check=True, timeout=180)
    east, west = json.loads(told.stdout)

    assert east.pop("zone") != west.pop("zone")
    assert east == west
    assert (east["deadline"], east["next"]) == ("2026-10-25T00:30:00Z", "2026-11-01T01:30:00Z")
    assert east["frozen"] == {SPAIN: ["sent"] * 3, PIRATES: ["silent"] * 6}
    assert [(arrival, verdict) for arrival, _, verdict, _ in east["mails"]] == [
        ("2026-10-25T00:29:59Z", "orders"),
        ("2026-10-25T00:30:00Z", "orders"),
        ("2026-10-25T00:30:01Z", "late"),
        ("2026-10-25T01:30:00Z", "orders"),
    ]
