"""A letter of «Поднять паруса!» heard for its seat: words that stand, and what is told in prose."""

from __future__ import annotations

from adjudicator.services import commands, sheets, verbs
from adjudicator.services.header import Header
from adjudicator.services.hearing import Heard, Hearing, hear
from adjudicator.services.positions import Table
from adjudicator.storage.tables import Game
from engine.core import codec
from engine.core.contract import MODERATOR, Order
from engine.core.registry import ruleset
from engine.set_sail.commands import Say, SetSailOrder, Spend, StandingBreakdown, StandingLuck, TakeHole
from engine.set_sail.orders import write
from mail.text import Line
from tests.engine.set_sail.order_positions import ANNA, BORIS, players_view
from tests.engine.set_sail.test_orders import samples

GAME = Game(
    tag="set_sail-1",
    campaign="set_sail-1",
    ruleset="set_sail",
    revision=1,
    edition="house",
    options="{}",
    board="",
    header="{}",
    players=3,
)


def heard(*lines: str) -> Heard:
    table = Table(GAME, ruleset("set_sail"), Header())
    hearing = Hearing(table, players_view(ANNA), ANNA, "ru", before=sheets.History(now=sheets.SeatSheet()), number=1)
    return hear(hearing, [Line(number=place, raw=line) for place, line in enumerate(lines)])


def put(letter: Heard) -> list[Order]:
    effects = [effect for effect in letter.effects if isinstance(effect, sheets.Put)]
    return [codec.from_plain(order, SetSailOrder) for effect in effects for order in effect.orders]


def test_standing_word_is_read_as_one_though_the_same_line_answers_what_is_asked_now() -> None:
    letter = heard("постоянный: поломка паруса", "поломка паруса")

    assert put(letter) == [
        StandingBreakdown(kind="sails"),
        TakeHole(key=f"{ANNA}/o2/hole/0", kind="sails"),
    ]


def test_standing_word_with_a_condition_and_one_that_cannot_stand() -> None:
    letter = heard("постоянный: если меняет полосу: фарт +1", "постоянный: танцы")

    assert put(letter) == [StandingLuck()]
    assert [line.mark for line in letter.verdicts()] == ["ok", "command-refused"]


def test_what_is_told_in_prose_counts_and_stands_in_the_receipt() -> None:
    letter = heard("Анна щурится.", "", "— Стойте! — говорит она.")

    assert put(letter) == [Say(text="— Стойте! — говорит она.")]
    assert [(line.text, line.read) for line in letter.verdicts()] == [
        ("— Стойте! — говорит она.", "говорю: — Стойте! — говорит она.")
    ]


def test_speech_that_sounds_like_an_order_stays_speech() -> None:
    letter = heard("— Помогаю Борису: держу!", "* помощь Борису: держу «мёртвой хваткой»")

    assert put(letter) == [
        Spend(roll=f"{BORIS}/o1", act="help", how="держу «мёртвой хваткой»"),
        Say(text="— Помогаю Борису: держу!"),
    ]


def test_prose_alone_does_nothing() -> None:
    letter = heard("Анна щурится.", "Солнце садится.")

    assert (put(letter), letter.intends) == ([], False)


def test_no_line_of_the_order_language_is_a_command_or_a_verb_of_the_moderator() -> None:
    for seen, order in samples():
        for language in ("ru", "en"):
            line = Line(number=0, raw=write(order, language, seen)).text
            command = commands.read_command(line)
            assert command is None or (command.name == "standing" and type(order).lasts), line
            assert not (seen.seat == MODERATOR and verbs.is_verb(line)), line


def test_prose_that_reaches_nobody_is_told_to_its_writer() -> None:
    letter = heard("Всем привет! Картограф, сколько там стражи?", "", "заявка: лезу на мачту", "— Земля!", "--")

    assert letter.unheard == {0: "Всем привет! Картограф, сколько там стражи?"}
