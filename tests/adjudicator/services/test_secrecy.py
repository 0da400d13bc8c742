"""What a seat may not know is in no byte it gets; what was played is played again from its log (play-by-mail 3.2)."""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from adjudicator import jobs
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.services import games, logbook, post, resolving, turns
from adjudicator.services.header import Header
from adjudicator.storage.tables import Game, Letter
from engine.core import codec, registry
from engine.pirates.options import EDITIONS
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    CAST,
    HOUR,
    PIRATES,
    SPAIN,
    VERA,
    Stage,
    fixed_chance,
    maildir_stage,
)
from tests.servers.smtp_sink import SmtpSink

HEX = re.compile(rb"[0-9a-f]{64}")


@contextmanager
def world(sink: SmtpSink, *, real: bool = True) -> Iterator[Stage]:
    """Give a service on an empty database of its own, whose letters are written as they are for players."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        with maildir_stage(f"sqlite:///{place / 'world.db'}", sink, place) as made:
            if real:
                object.__setattr__(made.desk, "make", post.make)
            yield made


def work(stage: Stage) -> None:
    """Do all there is to do but the handing over, which is taken for done."""
    for source in stage.desk.sources:
        jobs.poll(stage.desk, source)
    while jobs.think(stage.desk) + jobs.render(stage.desk):
        pass
    with stage.house.unit("test") as unit:
        for letter in unit.session.exec(select(Letter).where(Letter.status == "rendered")):
            letter.status, letter.sent = "sent", unit.now
            unit.session.add(letter)


def opened(stage: Stage, *, edition: str = "", options: dict[str, Any] | None = None, cast: Any = CAST) -> str:
    """Open turn 0 of a game."""
    with stage.house.unit("test") as unit:
        game = games.create(unit, "pirates", len(cast), edition=edition, options=options, source=fixed_chance())
        for address, name, language, seat in cast:
            invitation = games.invite(unit, game, address, name=name, language=language, seat=seat)
            games.join(unit, game, invitation, phrase=f"соль {name}", arrival=unit.now)
        games.start(unit, game)
    work(stage)
    return game.tag


def process(stage: Stage, tag: str) -> None:
    """Lock and resolve the open turn."""
    with stage.house.unit("test") as unit:
        game = unit.game(tag)
        turns.process(unit, game, stage.turn(tag).number)
    resolving.resolve_due(stage.house)
    work(stage)


def letters(stage: Stage, address: str) -> list[dict[str, Any]]:
    """Return a player's letters taken apart: headers and decoded parts, every head and commitment blotted out."""
    with stage.house.look() as unit:
        query = select(Letter).where(Letter.address == address).order_by(col(Letter.id))
        raws = [unit.vault.open(letter.raw or b"") for letter in unit.session.exec(query)]
    found = []
    for raw in raws:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        parts = [
            (part.get_content_type(), part.get_filename(), HEX.sub(b"*", bytes(part.get_payload(decode=True) or b"")))
            for part in message.walk()
            if not part.is_multipart()
        ]
        found.append({"headers": message.items(), "parts": parts})
    return found


# Two worlds that a seat cannot tell apart


COURSES = st.sampled_from(["стоять", "курс СВ 1", "курс СВ 3; огонь после любой", "курс В 2", "стоять; огонь до 4"])
SEALED = st.tuples(COURSES, COURSES, COURSES)


def played(stage: Stage, gold: str, sealed: tuple[str, ...]) -> None:
    """Play with this secret and, in turn 2, with these orders that are still sealed at the end."""
    tag = opened(stage)
    stage.write(tag, SPAIN, f"золото {gold}\nимя 2: Надежда")
    stage.write(tag, PIRATES, "имя 4: Гроза")
    work(stage)
    process(stage, tag)
    stage.write(tag, SPAIN, "корабль 1: курс СВ 2\nкорабль 2: курс СВ 1\nсоль: раз")
    stage.write(tag, PIRATES, "корабль 4: стоять\nжурнал\nкарта\nстатус")
    work(stage)
    process(stage, tag)
    stage.write(tag, SPAIN, "".join(f"корабль {number}: {order}\n" for number, order in enumerate(sealed, 1)))
    stage.write(tag, PIRATES, "корабль 4: к абордажу\nкорабль 1: стоять\nстатус\nпомощь\nжурнал всё")
    work(stage)
    stage.clock.move(25 * HOUR)
    stage.write(tag, PIRATES, "корабль 5: стоять\nготов")
    work(stage)


@settings(derandomize=True, max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(golds=st.permutations(["1", "2", "3"]), one=SEALED, other=SEALED)
def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_bytes(
    smtp_sink: SmtpSink, golds: list[str], one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    with world(smtp_sink) as here, world(smtp_sink) as there:
        played(here, golds[0], one)
        played(there, golds[1], other)
        assert gold(here) != gold(there)
        mine, theirs = letters(here, BORIS), letters(there, BORIS)

        assert len(mine) > 6
        assert (
            sha256(repr(mine).encode()).digest() == sha256(repr(theirs).encode()).digest()
        )  # equal, and quick to tell
        assert letters(here, ANNA) != letters(there, ANNA)  # for her the worlds differ: the test can see


def digest(told: list[dict[str, Any]]) -> str:
    """Return a short stand-in for whole letters: comparing their megabytes line by line would take minutes to fail."""
    return sha256(repr(told).encode()).hexdigest()


def gold(stage: Stage) -> int:
    """Return which galleon carries the gold."""
    return int(stage.position("pirates-1").state.gold)  # type: ignore[attr-defined]


def keyed(value: Any, key: str) -> list[Any]:
    """Return everything that stands under a key, however deep, in JSON inside JSON too."""
    if isinstance(value, str) and value[:1] in "{[" and value[:1]:
        try:
            return keyed(json.loads(value), key)
        except ValueError:
            return []
    if isinstance(value, dict):
        return [found for name, inner in value.items() for found in ([inner] if name == key else keyed(inner, key))]
    if isinstance(value, list | tuple):
        return [found for inner in value for found in keyed(inner, key)]
    return []


def test_gold_stands_in_spains_letters_and_in_no_letter_to_a_pirate(smtp_sink: SmtpSink) -> None:
    with world(smtp_sink, real=False) as stage:
        played(stage, "2", ("стоять",) * 3)
        told = {address: [codec.plain(value) for _, value in stage.letters("", address)] for address in (ANNA, BORIS)}
        files = {
            address: [part for letter in letters(stage, address) for _, name, part in letter["parts"] if name]
            for address in (ANNA, BORIS)
        }

    assert 2 in keyed(told[ANNA], "gold")
    assert {found for found in keyed(told[BORIS], "gold") if isinstance(found, int)} <= {0}
    assert b'"gold":2' not in b"".join(files[BORIS])


def test_dump_of_the_database_shows_neither_gold_nor_orders_nor_seeds_nor_tokens(smtp_sink: SmtpSink) -> None:
    with world(smtp_sink) as stage:
        played(stage, "2", ("курс СВ 3", "стоять", "стоять"))
        secrets = [b'"gold":2', "курс СВ 3".encode(), b'"course":"NE"', "корабль 4: к абордажу".encode()]
        secrets.append(stage.carrier("pirates-1", SPAIN).rpartition(".")[2].encode())
        dump = b"".join(
            file.read_bytes() for file in Path(str(stage.house.store.engine.url.database)).parent.glob("world.db*")
        )

    assert len(dump) > 100_000
    assert [secret for secret in secrets if secret in dump] == []


# Played again from the log


@pytest.mark.parametrize("open_orders", ["turn", "end"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_turn_is_replayed_from_the_log_after_the_end(smtp_sink: SmtpSink, edition: str, open_orders: str) -> None:
    cast = (*CAST, (VERA, "Вера", "ru", "pirates-2"))
    with world(smtp_sink, real=False) as stage:
        with stage.house.unit("test") as unit:
            header = Header(open_orders=open_orders)  # type: ignore[arg-type]
            limit, chance = {"limit": 2}, fixed_chance()
            game = games.create(unit, "pirates", 3, edition=edition, options=limit, header=header, source=chance)
            for address, name, language, seat in cast:
                games.join(
                    unit,
                    game,
                    games.invite(unit, game, address, name=name, language=language, seat=seat),
                    arrival=unit.now,
                )
            games.start(unit, game)
        tag, status, rounds = game.tag, "running", 0
        while status == "running":
            for seat in (SPAIN, PIRATES, "pirates-2"):
                bot_writes(stage, tag, seat, rounds)
            work(stage)
            verified_so_far(stage, tag)
            stage.clock.move(HOUR)
            process(stage, tag)
            rounds += 1
            with stage.house.look() as unit:
                status = unit.game(tag, lock=False).status
        report = checked(stage, tag)
        own = [checked(stage, tag, seat) for seat in (SPAIN, PIRATES)]

    assert [turn.verdict for turn in report.turns] == ["replayed"] * (rounds + 1)
    assert report.finished
    assert [one.replayed for one in own] == [True, True]


def bot_writes(stage: Stage, tag: str, seat: str, number: int) -> None:
    now = stage.position(tag)
    view = now.view(seat)
    if now.seats[seat].owed:
        orders = now.table.ruleset.bot(view, lambda choices: (number * 7 + len(seat)) % choices)
        lines = [now.table.ruleset.write(order, "ru", view) for order in orders]
        stage.write(tag, seat, "\n".join([*lines, f"соль: {seat} {number}"]))


def checked(stage: Stage, tag: str, reader: str | None = None) -> Any:
    with stage.house.look() as unit:
        game = unit.session.exec(select(Game).where(Game.tag == tag)).one()
        file = logbook.file_for(unit, game, reader, 0, game.seq)
    report = verify(read_source(tag, file), {"pirates": registry.ruleset("pirates")})
    assert report.faults == ()
    return report


def verified_so_far(stage: Stage, tag: str) -> None:
    assert {turn.verdict for turn in checked(stage, tag).turns} <= {"dice checked", "replayed"}
