"""Ten thousand broken mails: none raises, each gets one verdict, soon and in little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mail.corpus import Sample, samples
from tests.mail.fuzz import MEBIBYTES, SECONDS, look, mutated

MAILS = 10_000


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.name)
def test_a_whole_mail_of_the_corpus_is_what_it_is_meant_to_be(sample: Sample) -> None:
    assert look(sample.raw).verdict == sample.verdict


def test_no_mail_of_a_person_is_held_but_for_what_was_lost() -> None:
    held = {sample.name: look(sample.raw).held for sample in samples() if look(sample.raw).held}

    assert held == {}


def test_the_same_number_is_the_same_mail() -> None:
    corpus = tuple(sample.raw for sample in samples())

    assert [mutated("7", number, corpus) for number in range(50)] == [
        mutated("7", number, corpus) for number in range(50)
    ]


def test_ten_thousand_broken_mails_each_get_a_verdict_soon_and_in_little_memory() -> None:
    run = [sys.executable, "-m", "tests.mail.fuzz", "--mails", str(MAILS)]
    done = subprocess.run(run, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=500, check=False)

    assert (done.stderr, done.returncode) == ("", 0)
    found = json.loads(done.stdout)
    assert sum(found["verdicts"].values()) == MAILS
    assert sorted(found["verdicts"]) == ["automatic", "bounce", "empty", "human", "ours", "quarantined"]
    assert (found["slowest"] <= SECONDS, found["grown"] <= MEBIBYTES) == (True, True)
