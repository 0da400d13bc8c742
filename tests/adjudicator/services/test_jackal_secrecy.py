"""What «Шакал» hides stays hidden: two islands that a seat cannot tell apart give it the same letters (5.5)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adjudicator.services.render import render
from engine.core.codec import encode
from tests.adjudicator.services.islanders import game, lay, log_of, poll, process
from tests.adjudicator.services.smuggling import close_group
from tests.adjudicator.services.stage import ANNA, BORIS, Stage, maildir_stage
from tests.servers.smtp_sink import SmtpSink

HEX = re.compile(r"[0-9a-f]{64}")
TOKEN = re.compile(r"judge\+\S+@")
ONE = "W1 F6, Y1 H4, G6 = lighthouse closed, H3 = chest5 closed, I3 = croc closed, J3 = keg closed, K3 = fort closed"
OTHER = "W1 F6, Y1 H4, G6 = lighthouse closed, H3 = croc closed, I3 = chest5 closed, J3 = fort closed, K3 = keg closed"


def asked_for_everything(stage: Stage, tag: str) -> None:
    """Let yellow try what might give a closed tile away: orders onto it, tries, maps, rules, reports."""
    for line in (
        "Ж1 на H3",
        "Ж1 на I3\nпроба",
        "Ж1 лететь K3",
        "карта",
        "если открыто H3 сундук: Ж1 на H5",
        "Ж1 на H5",
    ):
        stage.write(tag, "yellow", line)
        poll(stage)


def played(stage: Stage, position: str, seen: bool) -> str:
    tag = game(stage, 4)
    lay(stage, tag, position)
    asked_for_everything(stage, tag)
    stage.write(tag, "white", "Б1 на G6 (маяк: H3, I3, J3, K3)" if seen else "Б1 на F7")
    process(stage, tag)
    if seen:
        stage.write(tag, "white", "разложить H3-I3, I3-H3")
        close_group(stage, tag)
        poll(stage)
    asked_for_everything(stage, tag)
    return tag


def letters(stage: Stage, address: str) -> list[str]:
    """Return a player's letters, as values and as text, with what is random by construction blotted out."""
    said = [f"{encode(value)}\n{render(value).text}" for _, value in stage.letters("", address)]
    return [TOKEN.sub("*", HEX.sub("*", text)) for text in said]


def pictures(stage: Stage, address: str) -> list[bytes]:
    return [
        data for _, value in stage.letters("report", address) for _, _, data in render(value).files if b"<svg" in data
    ]


@pytest.mark.parametrize("seen", [False, True], ids=["nobody-looked", "white-looked"])
def test_seat_that_has_not_seen_a_closed_tile_gets_the_same_letters(
    tmp_path: Path, smtp_sink: SmtpSink, seen: bool
) -> None:
    told = []
    for name, position in (("one", ONE), ("other", OTHER)):
        (tmp_path / name).mkdir()
        with maildir_stage(f"sqlite:///{tmp_path / name / 'world.db'}", smtp_sink, tmp_path / name) as stage:
            played(stage, position, seen)
            told.append((letters(stage, BORIS), pictures(stage, BORIS), letters(stage, ANNA)))
    (yellow, drawn, white), (yellow_too, drawn_too, white_too) = told

    assert len(yellow) > 14
    assert yellow == yellow_too
    assert (drawn, len(drawn) > 1) == (drawn_too, True)
    assert (white == white_too) is not seen  # there was something to give away


def test_log_keeps_peeks_and_answers_from_others_till_the_end(empty: Stage) -> None:
    tag = played(empty, ONE, seen=True)
    public, own = log_of(empty, tag), log_of(empty, tag, "white")

    assert b'"peek-shown"' in own
    assert b'"lay"' in own
    for secret in (b'"peek-shown"', b'"laid-back"', b'"chest5"', b'"lay"'):
        assert secret not in public
        assert secret not in log_of(empty, tag, "yellow")
