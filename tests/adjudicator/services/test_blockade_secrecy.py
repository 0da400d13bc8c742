"""Nothing of the other's plan is in a letter, a picture or a log before its turn is resolved (play-by-mail 3.2)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.services.render import render
from engine.core.codec import encode
from tests.adjudicator.services.blockaders import begun, told
from tests.adjudicator.services.islanders import log_of, poll, process
from tests.adjudicator.services.stage import ANNA, BORIS, Stage, maildir_stage
from tests.servers.smtp_sink import SmtpSink

HEX = re.compile(r"[0-9a-f]{64}")
TOKEN = re.compile(r"judge\+\S+@")
POSITION = "R L5 N, B A24 E, first R"
PLANS = (
    "план: П = =; огонь не стрелять; рывок: уход; доворот: нет",
    "план: Л Л П; огонь все; рывок: =П==Л=; доворот: П",
)
"""Two plans of the Runner that the Blockader must not tell apart; one of them cannot be made as it stands."""


def asked_for_everything(stage: Stage, tag: str) -> None:
    """Let the Blockader ask whatever might give the other's plan away."""
    for line in ("plan: = s =\ntry", "map", "status", "log all", "rules dash", "help"):
        stage.write(tag, "second", line)
        poll(stage)


def letters(stage: Stage, address: str) -> list[str]:
    """Return a player's letters, as values, text and pictures, with what is random by construction blotted out."""
    said = []
    for _, value in stage.letters("", address):
        made = render(value)
        pictures = [data.hex()[:4000] for _, data in made.images] + [
            data.decode() for _, _, data in made.files if b"<svg" in data
        ]
        said.append("\n".join((encode(value), made.text, *pictures)))
    return [TOKEN.sub("*", HEX.sub("*", text)) for text in said]


def test_letters_and_pictures_of_the_other_are_the_same_whatever_a_seat_has_ordered(
    tmp_path: Path, smtp_sink: SmtpSink
) -> None:
    found = []
    for number, plan in enumerate(PLANS):
        (tmp_path / str(number)).mkdir()
        with maildir_stage(
            f"sqlite:///{tmp_path / str(number) / 'world.db'}", smtp_sink, tmp_path / str(number)
        ) as stage:
            tag = begun(stage, POSITION)
            stage.write(tag, "first", plan)
            poll(stage)
            asked_for_everything(stage, tag)
            found.append((letters(stage, BORIS), letters(stage, ANNA)))
    (boris, anna), (boris_too, anna_too) = found

    assert len(boris) > 8
    assert boris == boris_too
    assert anna != anna_too


def test_step_that_was_changed_is_told_to_its_author_alone(empty: Stage) -> None:
    tag = begun(empty, f"{POSITION}; rock L6")
    empty.write(tag, "first", "план: = = =")
    process(empty, tag)

    assert "Шаг 1: приказано =, но там земля — сделано П (B8)" in told(empty, ANNA)
    assert "was ordered" not in told(empty, BORIS)
    assert b'"step-changed"' in log_of(empty, tag, "first")
    assert b'"step-changed"' not in log_of(empty, tag, "second")
    assert b'"step-changed"' not in log_of(empty, tag)


@pytest.mark.parametrize("edition", ["sealed", "strict"])
def test_what_is_to_be_done_when_disabled_stays_with_its_author_until_the_turn_is_over(
    empty: Stage, edition: str
) -> None:
    tag = begun(empty, POSITION, edition=edition)
    empty.write(tag, "first", "план: =; доворот: П; рывок: ==П===")
    poll(empty)

    for secret in ("==s===", "==П==="):
        assert not any(secret in text for text in letters(empty, BORIS))
    assert b"==s===" not in log_of(empty, tag, "second")
