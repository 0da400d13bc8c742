"""The public report: observers, the moderator's copy and forums get what everybody may know (play-by-mail 5)."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from adjudicator.letters import Report
from adjudicator.services import forum, history, logbook, outbox, people, positions, post, reports, resolving, turns
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from adjudicator.storage.tables import Observer
from engine.core import codec
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    CAST,
    OPERATOR,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
)
from tests.adjudicator.services.test_secrecy import COURSES, opened, process, work, world
from tests.servers.smtp_sink import SmtpSink


def watched(stage: Stage, tag: str, address: str = VERA, language: str = "ru") -> None:
    """Let somebody watch a game."""
    with stage.house.unit("test") as unit:
        game = unit.game(tag)
        unit.add(Observer(game_id=game.id or 0, address=address, name="Вера", language=language, since=unit.now))


def processed(stage: Stage, tag: str, *letters: tuple[str, str]) -> None:
    """Play the open turn with these letters."""
    for seat, text in letters:
        stage.write(tag, seat, text)
    stage.settle()
    with stage.house.unit("test") as unit:
        turns.process(unit, unit.game(tag), stage.turn(tag).number)
    resolving.resolve_due(stage.house)
    stage.settle()


def reports_to(stage: Stage, address: str, kind: str = "report") -> list[Report]:
    return [value for _, value in stage.letters(kind, address) if isinstance(value, Report)]


def log_sent(stage: Stage, address: str) -> list[dict[str, Any]]:
    """Return the log lines attached to the last report to an address."""
    with stage.house.look() as unit:
        row = [row for row, _ in stage.letters("report", address)][-1]
        unit.session.add(row)
        row.status = "new"
        job = outbox.job(unit, row.id or 0)
        unit.session.expunge(row)
    assert job is not None
    return [json.loads(line) for line in job.log_file.splitlines()]


def test_an_observer_gets_the_public_report_of_every_turn(place: Stage) -> None:
    tag = place.game()
    watched(place, tag)
    processed(place, tag, (SPAIN, SPAIN_ORDERS), (PIRATES, PIRATES_ORDERS))
    processed(place, tag, (SPAIN, SPAIN_ORDERS))

    told = reports_to(place, VERA)

    assert [(one.turn, one.next_turn) for one in told] == [(1, 2), (2, 3)]
    assert {one.reader.seat for one in told} == {""}
    assert json.loads(told[0].view)["seat"] == "public"
    assert [one.asked + one.examples + one.template + one.standing for one in told] == [(), ()]
    assert told[0].others == ()


def test_an_observer_who_wants_no_more_gets_no_more(place: Stage) -> None:
    tag = place.game()
    watched(place, tag)

    def leaves(unit: Work) -> None:
        observer = people.observers(unit, unit.game(tag))[0]
        observer.until = unit.now
        unit.session.add(observer)

    place.alter(leaves)
    processed(place, tag)

    assert reports_to(place, VERA) == []


def test_an_observers_log_has_public_lines_and_openings_and_begins_where_the_last_one_ended(place: Stage) -> None:
    tag = place.game()
    watched(place, tag)
    processed(place, tag, (SPAIN, SPAIN_ORDERS), (PIRATES, PIRATES_ORDERS))
    first = log_sent(place, VERA)
    processed(place, tag, (SPAIN, SPAIN_ORDERS), (PIRATES, "письмо судье: тайное слово\nконец письма"))
    second = log_sent(place, VERA)
    own = log_sent(place, ANNA)

    assert [line["seq"] for line in first if "seq" in line] == list(range(1, first[-1]["pin"] + 1))
    assert next(line["seq"] for line in second if "seq" in line) == first[-1]["pin"] + 1
    assert "тайное слово" not in json.dumps(second, ensure_ascii=False)
    opened_here = {(line["open"], line.get("part")) for line in second if "open" in line}
    opened_to_anna = {(line["open"], line.get("part")) for line in own if "open" in line}
    assert opened_here < opened_to_anna  # her own mails are open to her alone


def test_the_moderators_copy_carries_the_forum_editions(place: Stage) -> None:
    tag = place.game()
    processed(place, tag, (SPAIN, SPAIN_ORDERS), (PIRATES, PIRATES_ORDERS))
    row, value = place.letters("public", OPERATOR)[-1]
    assert isinstance(value, Report)
    with place.house.look() as unit:
        envelope = unit.vault.open_value(row.value, outbox.Envelope)
    rendered = forum.with_editions(value, post.render(value))

    assert (envelope.log_after, envelope.log_to) == (0, 0)
    names = [name for name, _, _ in rendered.files]
    assert names[:2] == ["map.svg", "deadline.ics"]
    assert names[2:] == ["map.png", *names[3:]]
    assert {name.split(".")[1].split("-")[0] for name in names[3:]} == set(forum.boards())
    assert "pirates-1" in rendered.files[-1][2].decode()


def test_the_moderators_token_is_in_his_copy_and_in_no_forum_edition(place: Stage) -> None:
    tag = place.game()
    with place.house.unit("test") as unit:
        person = people.register(unit, VERA, name="Глафира", language="ru", zone="Europe/Moscow")
        people.appoint(unit, unit.game(tag), person)
    processed(place, tag)

    (copy,) = reports_to(place, VERA, "public")
    rendered = forum.with_editions(copy, post.render(copy))
    editions = b"".join(data for _, _, data in rendered.files[2:])

    assert "+" in copy.reader.reply_to
    assert copy.reader.reply_to in rendered.text
    assert copy.reader.reply_to.encode() not in editions
    assert "Глафира".encode() not in editions
    assert [one.turn for one in reports_to(place, OPERATOR, "public")] == [-1, 0]  # before there was a moderator


def test_an_anonymous_game_stays_anonymous_in_public(place: Stage) -> None:
    tag = place.game(header=Header(names="hidden"))
    watched(place, tag)
    processed(place, tag, (SPAIN, SPAIN_ORDERS), (PIRATES, PIRATES_ORDERS))

    letters = [letter for address in (VERA, OPERATOR) for letter in place.letters("", address)]
    told = [codec.encode(value) for row, value in letters if f"/{tag}/" in row.key]
    text = "".join(told)

    assert len(told) > 2
    assert [name for name in ("Анна", "Борис", ANNA, BORIS) if f'"{name}"' in text] == []


def test_names_are_in_the_public_opening_where_the_game_shows_them(place: Stage) -> None:
    tag = place.game(header=Header(names="shown"))
    first = next(one for one in reports_to(place, OPERATOR, "public") if one.head.tag == tag)

    assert [one.name for one in first.others] == ["Анна", "Борис"]


def test_a_report_for_a_seat_cannot_be_made_public(place: Stage) -> None:
    tag = place.game()
    processed(place, tag)
    with place.house.look() as unit:
        game = unit.game(tag, lock=False)
        titles = people.seat_titles(unit, game)
        reader = people.reader_of(unit, game, people.tenures(unit, game)[0], titles)
        at, turn = positions.table(game), history.turn_named(unit, game, 1)
        with pytest.raises(ValueError, match="'spain-1' is not public"):
            history.public_report(unit, at, turn, reader)
        pins, state = (logbook.pin(game), None), history.state_after(unit, at, turn)
        secret = reports.report(unit, at, state, reader, history.told(unit, at, turn), None, pins)
    with pytest.raises(ValueError, match="not public"):
        forum.posts(secret, "phpbb")


def test_the_report_of_an_earlier_turn_is_told_again_as_it_was(place: Stage) -> None:
    tag = place.game()
    processed(place, tag, (SPAIN, SPAIN_ORDERS + "соль: раз"), (PIRATES, PIRATES_ORDERS))
    processed(place, tag, (SPAIN, SPAIN_ORDERS))
    then = reports_to(place, OPERATOR, "public")[-2]
    with place.house.look() as unit:
        game = unit.game(tag, lock=False)
        again = history.public_report(unit, positions.table(game), history.turn_named(unit, game, 1), then.reader)

    assert codec.encode(msgspec.structs.replace(again, forum=then.forum)) == codec.encode(then)


@settings(
    derandomize=True,
    max_examples=2,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),  # a world takes seconds: a smaller example is not worth minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(golds=st.permutations(["1", "2", "3"]), one=st.tuples(COURSES, COURSES), other=st.tuples(COURSES, COURSES))
def test_worlds_that_differ_in_secrets_give_observers_and_forums_the_same_words(
    smtp_sink: SmtpSink, golds: list[str], one: tuple[str, ...], other: tuple[str, ...]
) -> None:
    with world(smtp_sink, real=False) as here, world(smtp_sink, real=False) as there:
        mine, theirs = told_in(here, golds[0], one, "prose of mine"), told_in(there, golds[1], other, "other prose")

    assert len(mine) == 2 + 2 * len(forum.boards())
    # equal, and quick to tell
    assert [sha256(text.encode()).hexdigest() for text in mine] == [
        sha256(text.encode()).hexdigest() for text in theirs
    ]


def digests(texts: list[str]) -> list[str]:
    """Return short stand-ins for long texts: comparing these line by line would take minutes to fail."""
    return [sha256(text.encode()).hexdigest() for text in texts]


def told_in(stage: Stage, gold: str, sealed: tuple[str, ...], prose: str) -> list[str]:
    """Play with a secret, standing orders, press and orders still sealed; return all that is told to those outside."""
    tag = opened(stage)
    watched(stage, tag)
    stage.write(tag, SPAIN, f"золото {gold}\n{prose}")
    work(stage)
    process(stage, tag)
    stage.write(tag, SPAIN, f"корабль 1: курс СВ 2\nписьмо судье: {prose}\nконец письма\n{prose}")
    work(stage)
    process(stage, tag)
    stage.write(tag, SPAIN, "".join(f"корабль {number}: {order}\n" for number, order in enumerate(sealed, 1)))
    work(stage)
    found = [codec.encode(_without_pins(value)) for value in reports_to(stage, VERA)]
    for value in reports_to(stage, OPERATOR, "public")[-2:]:
        found += ["".join(forum.posts(_without_pins(value), board)) for board in forum.boards()]
    return found


def _without_pins(value: Report) -> Report:
    return msgspec.structs.replace(value, pin=None, prev_pin=None)


def test_names_and_addresses_of_players_are_in_no_forum_edition(place: Stage) -> None:
    tag = place.game()
    processed(place, tag, (SPAIN, SPAIN_ORDERS), (PIRATES, PIRATES_ORDERS))
    value = reports_to(place, OPERATOR, "public")[-1]
    text = "".join("".join(forum.posts(value, board)) for board in forum.boards())

    assert [one for one in (*[person[0] for person in CAST], OPERATOR, "Анна", "Борис") if one in text] == []
