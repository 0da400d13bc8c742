"""What is kept, for how long, and how a person is forgotten (play-by-mail 8)."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from datetime import timedelta
from pathlib import Path

from sqlmodel import col, select

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import verify
from adjudicator.services import logbook, post, retention
from adjudicator.services.outbox import Envelope, job
from adjudicator.services.retention import Tidied
from adjudicator.storage.tables import Game, Letter, Mail, Player, Press, Turn
from engine.core import registry
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    JUDGE,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    Stage,
)

DAY = timedelta(days=1)


def mails(stage: Stage) -> list[tuple[bool, str]]:
    with stage.house.look() as work:
        return [(row.raw is not None, row.sender) for row in work.session.exec(select(Mail).order_by(col(Mail.id)))]


def finish(stage: Stage, tag: str) -> None:
    def end(work: object) -> None:
        game = work.session.exec(select(Game).where(Game.tag == tag)).one()  # type: ignore[attr-defined]
        game.status, game.finished = "finished", stage.clock.now()
        for turn in work.session.exec(select(Turn).where(Turn.game_id == game.id)):  # type: ignore[attr-defined]
            turn.status = "resolved"

    stage.alter(end)


def kinds_to(stage: Stage, address: str) -> list[str]:
    with stage.house.look() as work:
        return list(work.session.exec(select(Letter.kind).where(Letter.address == address)))


def answer(stage: Stage, address: str, text: str) -> None:
    """Answer the letter that asks somebody to confirm."""
    letter = stage.letters("confirm", address)[-1][0]
    stage.deliver(stage.message(address, text, answers=letter.message_id))
    stage.settle()


def checked(stage: Stage, tag: str) -> None:
    with stage.house.look() as work:
        game = work.game(tag, lock=False)
        file = logbook.file_for(work, game, None, 0, game.seq)
    assert verify(read_source(tag, file), {"pirates": registry.ruleset("pirates")}).faults == ()


def test_mail_of_a_game_is_kept_ninety_days_after_its_end_then_hash_arrival_and_verdict(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    finish(place, tag)

    place.clock.move(89 * DAY)
    assert retention.tidy(place.house).games == 0
    place.clock.move(2 * DAY)
    done = retention.tidy(place.house)

    assert (done.games, retention.tidy(place.house)) == (1, Tidied())
    assert mails(place) == [(False, "")]
    with place.house.look() as work:
        row = work.session.exec(select(Mail)).one()
        assert (row.verdict, bool(row.sha256), row.arrival < place.clock.now()) == ("orders", True, True)


def test_mail_of_a_running_game_is_kept(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)

    place.clock.move(400 * DAY)

    assert retention.tidy(place.house).games == 0
    assert mails(place) == [(True, ANNA)]


def test_mail_of_strangers_is_kept_thirty_days(place: Stage) -> None:
    place.deliver(place.message("nobody@example.net", "продаю паруса"))
    place.settle()

    place.clock.move(29 * DAY)
    assert retention.tidy(place.house).strangers == 0
    place.clock.move(2 * DAY)

    assert retention.tidy(place.house).strangers == 1
    assert mails(place) == [(False, "")]


def test_letters_are_kept_thirty_days_after_they_were_handed_over(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    receipt = place.letters("receipt")[-1][0]

    place.clock.move(31 * DAY)
    done = retention.tidy(place.house)

    with place.house.look() as work:
        kept = work.session.get_one(Letter, receipt.id)
        assert (kept.raw, kept.text, kept.value) == (None, None, b"")
        assert (kept.sha256, kept.message_id) == (receipt.sha256, receipt.message_id)
        reports = work.session.exec(select(Letter).where(Letter.kind == "report")).all()
        assert [letter.value != b"" for letter in reports] == [True] * len(reports)  # отчёт N must still find them
    assert done.letters > 0


def test_a_report_emptied_of_its_bytes_can_still_be_asked_for(place: Stage) -> None:
    tag = place.game()
    place.later(40 * DAY)
    retention.tidy(place.house)

    receipt = place.say(tag, SPAIN, "отчёт")

    assert [line.mark for line in receipt.lines] == ["command"]
    assert len(place.letters("report-again")) == 1


def test_a_copy_of_a_tidied_mail_is_still_known_for_what_it_is(place: Stage) -> None:
    raw = place.deliver(place.message("nobody@example.net", "продаю паруса"))
    place.settle()
    place.clock.move(31 * DAY)
    retention.tidy(place.house)

    place.deliver(raw)
    place.settle()

    assert place.verdicts()[-1][1] == "twin of 1"


def test_my_data_sends_what_is_kept(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "письмо Борису: встретимся у Тортуги\nконец письма")
    place.say(tag, SPAIN, "мои данные")

    letter = place.letters("my-data", ANNA)[-1][0]
    with place.house.look() as work:
        letter_row = work.session.get_one(Letter, letter.id)
        envelope = work.vault.open_value(letter_row.value, Envelope)
        assert envelope.data_of
        letter_row.status = "new"
        made = job(work, letter.id or 0)
    assert made is not None
    raw, _, _ = post.make(made)
    with zipfile.ZipFile(io.BytesIO(made.data_file)) as archive:
        about = json.loads(archive.read("about.json"))
        names = archive.namelist()
        mail = archive.read("from-you/000001.eml").decode()

    assert b'filename="my-data.zip"' in raw
    assert (about["name"], about["addresses"]) == ("Анна", [ANNA])
    assert [seat["press"][0]["text"] for seat in about["seats"]] == ["встретимся у Тортуги"]
    assert "From: anna@example.org" in mail
    assert sum(name.startswith("to-you/") for name in names) > 0
    assert BORIS not in json.dumps(about)


def test_forget_me_does_nothing_before_it_is_confirmed(place: Stage) -> None:
    tag = place.game()

    place.say(tag, SPAIN, "забыть меня")
    answer(place, ANNA, "нет")

    assert place.tenure(tag, SPAIN).until is None
    assert place.kinds()[-1] == ("confirmed-not", ANNA)


def test_forget_me_removes_name_addresses_raw_mail_press_and_openings(place: Stage, tmp_path: Path) -> None:
    tag = place.game()
    place.write(tag, SPAIN, f"{SPAIN_ORDERS}соль: тайные слова Анны\nписьмо Борису: спрятанный клад\nконец письма")
    place.write(tag, PIRATES, PIRATES_ORDERS)
    place.settle()
    place.say(tag, SPAIN, "забыть меня")

    answer(place, ANNA, "да")
    retention.tidy(place.house)

    with place.house.look() as work:
        person = work.session.exec(select(Player).where(col(Player.forgotten).is_not(None))).one()
        press = work.session.exec(select(Press)).one()
        assert (person.name, work.vault.open(press.text)) == ("игрок 1", b"")
        texts = [work.vault.open(row.raw).decode() for row in work.session.exec(select(Mail)) if row.raw is not None]
        texts += [work.vault.open(row.raw).decode() for row in work.session.exec(select(Letter)) if row.raw is not None]
        parts = [
            part.object
            for entry in logbook.entries(work, work.game(tag, lock=False), 0, 999)
            for part in logbook.kept_parts(work, entry)
        ]
    assert [part for part in parts if part.get("from") == SPAIN or part.get("row") == SPAIN] == []
    assert [text for text in texts if "клад" in text or "тайные слова" in text] == []
    with sqlite3.connect(tmp_path / "service.db") as database:
        dump = "\n".join(database.iterdump())
    rows = [line for line in dump.splitlines() if "log_entry" not in line and "logentry" not in line]
    assert [line[:150] for line in rows if ANNA in line or "Анна" in line] == []
    assert ANNA not in dump
    assert BORIS in dump


def test_a_forgotten_players_seat_is_free_and_the_game_goes_on(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "забыть меня")
    answer(place, ANNA, "да")

    place.write(tag, PIRATES, PIRATES_ORDERS)
    place.pass_deadline(tag)

    assert place.turn(tag).number == 2
    assert [event["seat"] for event in place.events(tag, "tenure")] == [SPAIN]
    checked(place, tag)


def test_the_last_letters_to_the_forgotten_lose_their_address_once_sent(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "забыть меня")
    answer(place, ANNA, "да")
    assert sorted(kinds_to(place, ANNA)) == ["confirm", "confirmed"]

    retention.tidy(place.house)

    assert kinds_to(place, ANNA) == []


def test_who_plays_no_more_may_ask_too(place: Stage) -> None:
    tag = place.game()
    token = place.carrier(tag, SPAIN)
    finish(place, tag)

    place.deliver(place.message(ANNA, "мои данные", to=JUDGE.replace("@", f"+{token}@")))
    place.settle()

    assert place.kinds()[-1] == ("my-data", ANNA)
