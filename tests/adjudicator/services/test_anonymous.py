"""Anonymous games: nobody's name or address is in any letter to others, or in the log, until the last letter tells."""

from __future__ import annotations

import email
import email.policy
from email.message import EmailMessage

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Report
from adjudicator.services import ending, games, people, positions
from adjudicator.services.header import Header
from adjudicator.storage.tables import Letter, LogEntry
from tests.adjudicator.services.stage import HOUR, PIRATES, SPAIN, Stage
from tests.adjudicator.services.test_secrecy import process, work, world
from tests.servers.smtp_sink import SmtpSink

SERAPHIMA = "serafima.podkolodnaya@secret.example"
KLAVDY = "klavdy-the-third@hidden.example"
JUDGE_HIMSELF = "vera@example.org"
CAST = ((SERAPHIMA, "Серафима Подколодная", SPAIN), (KLAVDY, "Клавдий Третий", PIRATES))
MARKS = {
    SERAPHIMA: ("серафим", "подколодн", "serafima", "podkolodnaya", "secret.example"),
    KLAVDY: ("клавди", "третий", "klavdy", "hidden.example"),
}
HIDDEN = Header(names="hidden", press="private", entry="open", missed="go")
LINES = st.lists(
    st.sampled_from(
        [
            "статус",
            "журнал всё",
            "корабль 1: курс СВ 1",
            "корабль 4: стоять",
            "письмо всем:\nкто тут?\nконец письма",
            "письмо Испания-1:\nпривет\nконец письма",
            "письмо Пираты-1:\nпривет\nконец письма",
            "письмо судье:\nвопрос\nконец письма",
            "ничья",
            "готов",
            "соль: семь футов",
            "отпуск 20.1-21.1",
            "новый ключ",
            "игры",
            "не ждать",
        ]
    ),
    min_size=1,
    max_size=4,
)
LINES_ALWAYS = ("письмо всем:\nэй\nконец письма", "статус\nкарта")


def begun(stage: Stage) -> str:
    """Begin an anonymous game that Vera moderates and Gleb watches."""
    with stage.house.unit("test") as unit:
        judge = people.register(unit, JUDGE_HIMSELF, name="Вера", language="ru", zone="Europe/Moscow")
        game = games.create(unit, "pirates", 2, header=HIDDEN, moderator=judge)
        for address, name, seat in CAST:
            invitation = games.invite(unit, game, address, name=name, seat=seat)
            games.join(unit, game, invitation, phrase=f"соль {seat}", arrival=unit.now)
        games.start(unit, game)
    work(stage)
    return game.tag


def written(stage: Stage, address: str) -> str:
    """Return all that an address was sent, headers and decoded parts together, in small letters."""
    with stage.house.look() as unit:
        query = select(Letter).where(Letter.address == address).order_by(col(Letter.id))
        raws = [unit.vault.open(letter.raw) for letter in unit.session.exec(query) if letter.raw]
    found = []
    for raw in raws:
        message = email.message_from_bytes(raw, policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        found += [f"{name}: {value}" for name, value in message.items()]
        for part in message.walk():
            if not part.is_multipart():
                found.append(bytes(part.get_payload(decode=True) or b"").decode("utf-8", "replace"))
    return "\n".join(found).casefold()


def marks_in(text: str, of: str) -> list[str]:
    return [mark for mark in MARKS[of] if mark in text]


@settings(
    derandomize=True,
    max_examples=2,
    deadline=None,
    phases=[Phase.generate],  # a whole game an example: shrinking would take minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(hers=LINES, his=LINES)
def test_no_name_or_address_of_a_player_is_in_what_others_get_before_the_end(
    smtp_sink: SmtpSink, hers: list[str], his: list[str]
) -> None:
    with world(smtp_sink) as stage:
        tag = begun(stage)
        process(stage, tag)
        for text in (*hers, *LINES_ALWAYS):
            stage.write(tag, SPAIN, text)
        for text in (*his, *LINES_ALWAYS):
            stage.write(tag, PIRATES, text)
        work(stage)
        stage.clock.move(25 * HOUR)
        work(stage)
        process(stage, tag)

        assert "испания" in written(stage, KLAVDY)
        assert marks_in(written(stage, SERAPHIMA), SERAPHIMA) != []  # her own letters name her: the test can see
        assert marks_in(written(stage, KLAVDY), SERAPHIMA) == []
        assert marks_in(written(stage, SERAPHIMA), KLAVDY) == []
        with stage.house.look() as unit:
            log = "\n".join(unit.session.exec(select(LogEntry.event))).casefold()
        assert [mark for address in MARKS for mark in marks_in(log, address)] == []

        with stage.house.unit("test") as unit:
            ending.finish(unit, positions.table(unit.game(tag)), "finish")
        work(stage)
        assert "клавдий третий" in written(stage, SERAPHIMA)
        assert "серафима подколодная" in written(stage, KLAVDY)
        assert marks_in(log, SERAPHIMA) == []


def test_names_are_shown_in_the_opening_letter_of_a_game_that_shows_them_whoever_is_in(empty: Stage) -> None:
    tag = empty.game(header=Header(who_in="hidden"))

    opening = next(value for _, value in empty.letters("report") if isinstance(value, Report))
    assert {one.seat: one.name for one in opening.others} == {SPAIN: "Анна", PIRATES: "Борис"}
    assert tag == opening.head.tag


def test_opening_letter_of_an_anonymous_game_names_nobody_else(empty: Stage) -> None:
    empty.game(header=HIDDEN)

    assert [value.others for _, value in empty.letters("report") if isinstance(value, Report)][:2] == [(), ()]


def test_press_to_a_players_name_finds_nobody_in_an_anonymous_game(empty: Stage) -> None:
    tag = empty.game(header=HIDDEN)
    receipt = empty.say(tag, SPAIN, "письмо Борису:\nэто вы?\nконец письма")

    assert [(line.key, line.facts["suggestions"]) for line in receipt.lines] == [("press-unknown", [])]


def test_names_cannot_be_hidden_where_the_moderator_plays(empty: Stage) -> None:
    with pytest.raises(RefusedByRules, match="hidden-plays"):
        empty.alter(lambda unit: games.create(unit, "pirates", 2, header=Header(names="hidden", moderator="plays")))
