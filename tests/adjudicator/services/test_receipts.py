"""Every mail with a line of intent gets a receipt, and each command does what the page says (play-by-mail 2, 3)."""

from __future__ import annotations

import pytest
from sqlmodel import select

from adjudicator.letters import LineVerdict, Receipt, Report
from adjudicator.services.header import Header
from adjudicator.services.work import Work
from adjudicator.storage.tables import Address, Player
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    MINUTE,
    PIRATES,
    PIRATES_ORDERS,
    SPAIN,
    SPAIN_ORDERS,
    Stage,
)


def marks(receipt: Receipt) -> list[tuple[str, str]]:
    return [(line.text, line.mark) for line in receipt.lines]


def only(receipt: Receipt) -> LineVerdict:
    (line,) = receipt.lines
    return line


def test_orders_are_read_back_line_by_line_and_stand(both: Stage) -> None:
    tag = both.game()

    receipt = both.say(tag, SPAIN, "Добрый вечер!\n" + SPAIN_ORDERS + "готов\nС уважением, Анна\n")

    assert marks(receipt) == [
        ("корабль 1: стоять", "ok"),
        ("корабль 2: стоять", "ok"),
        ("корабль 3: стоять", "ok"),
        ("готов", "command"),
    ]
    assert receipt.understood
    assert receipt.in_force == ("«Сан-Фелипе»: стоять", "«Санта-Мария»: стоять", "«Эспириту-Санто»: стоять")
    assert (receipt.word, receipt.turn, receipt.number, receipt.missing) == ("ready", 1, 1, ())
    assert (receipt.now, receipt.deadline) == ("2026-01-05T12:00:00Z", "2026-01-07T12:00:00Z")
    assert [(other.seat, other.word) for other in receipt.others] == [(PIRATES, "no orders")]
    assert both.events(tag, "order")[-1]["private"] == receipt.commitment
    assert receipt.pin is not None
    assert receipt.pin.seq == both.events(tag)[-1]["seq"]


def test_receipt_is_handed_over_to_the_writer_alone(both: Stage, smtp_sink: object) -> None:
    tag = both.game()
    both.say(tag, SPAIN, SPAIN_ORDERS)

    ((letter, _),) = both.letters("receipt")
    received = smtp_sink.received  # type: ignore[attr-defined]

    assert [(one.message_id, one.recipients) for one in received] == [(letter.message_id, (ANNA,))]
    assert received[0].sha256 == letter.sha256


def test_refused_line_keeps_the_seat_a_draft_although_it_says_ready(place: Stage) -> None:
    tag = place.game()

    receipt = place.say(tag, SPAIN, SPAIN_ORDERS + "корабль 4: стоять\nготов\n")

    assert ("корабль 4: стоять", "refused") in marks(receipt)
    assert not receipt.understood
    assert (receipt.word, len(receipt.in_force)) == ("draft", 3)
    assert [line.key for line in receipt.lines if line.mark == "command"] == ["ready-draft"]


def test_missing_slots_are_named(place: Stage) -> None:
    receipt = place.say(place.game(), SPAIN, "корабль 1: стоять\n")

    assert (receipt.word, [slot["key"] for slot in receipt.missing]) == ("draft", ["ship2", "ship3"])


def test_receipts_are_numbered_per_seat(place: Stage) -> None:
    tag = place.game()

    said = ((SPAIN, "статус"), (PIRATES, "статус"), (SPAIN, "карта"), (SPAIN, "помощь"))
    numbers = [place.say(tag, seat, text).number for seat, text in said]

    assert numbers == [1, 1, 2, 3]


def test_prose_alone_gets_a_polite_word_and_no_receipt(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, "Спасибо за игру, всё отлично!")
    place.settle()

    assert place.letters("receipt") == []
    assert [fact["why"] for fact in place.notices("empty", ANNA)] == ["no-intent"]
    assert place.verdicts() == [("empty", "no-intent")]


# Commands


def test_ready_and_not_ready(place: Stage) -> None:
    tag = place.game()

    assert place.say(tag, SPAIN, SPAIN_ORDERS + "готова").word == "ready"
    assert place.say(tag, SPAIN, "не готова").word == "orders in"
    assert place.say(tag, SPAIN, "ready").word == "ready"
    assert place.say(tag, SPAIN, "корабль 1: стоять").word == "orders in"


def test_wait_is_shown_to_the_others_and_taken_back(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "ждать")

    assert [other.waits for other in place.say(tag, PIRATES, "статус").others] == [True]

    place.say(tag, SPAIN, "не ждать")

    assert [other.waits for other in place.say(tag, PIRATES, "статус").others] == [False]


def test_draft_throws_nothing_away(place: Stage) -> None:
    tag = place.game()

    receipt = place.say(tag, SPAIN, SPAIN_ORDERS + "черновик")

    assert (receipt.word, len(receipt.in_force)) == ("draft", 3)


def test_clear_and_restore(place: Stage) -> None:
    tag = place.game()
    first = place.say(tag, SPAIN, SPAIN_ORDERS)
    cleared = place.say(tag, SPAIN, "отмена")

    assert (cleared.in_force, cleared.word) == ((), "no orders")

    restored = place.say(tag, SPAIN, f"вернуть {first.number}")

    assert (restored.in_force, restored.word) == (first.in_force, "orders in")


def test_restore_of_an_unknown_receipt_is_refused_with_those_there_are(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)

    line = only(place.say(tag, SPAIN, "вернуть 9"))

    assert (line.mark, line.key, line.facts) == (
        "command-refused",
        "no-such-receipt",
        {"number": 9, "numbers": [1]},
    )


def test_anew_starts_from_nothing_and_what_follows_stands(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)

    assert place.say(tag, SPAIN, "заново\nкорабль 2: стоять").in_force == ("«Санта-Мария»: стоять",)


def test_standing_order_fills_a_slot_every_turn(place: Stage) -> None:
    tag = place.game()

    receipt = place.say(tag, SPAIN, "постоянный: корабль 1: стоять\nкорабль 2: стоять\nкорабль 3: стоять")

    assert receipt.standing == ("«Сан-Фелипе»: стоять",)
    assert (receipt.word, len(receipt.in_force)) == ("orders in", 2)

    place.say(tag, PIRATES, PIRATES_ORDERS)
    place.pass_deadline(tag)

    assert place.turn(tag).number == 2
    assert place.say(tag, SPAIN, "статус").standing == ("«Сан-Фелипе»: стоять",)


def test_unreadable_standing_order_is_refused(place: Stage) -> None:
    line = only(place.say(place.game(), SPAIN, "постоянный: быть бодрым и весёлым"))

    assert line.mark in ("command-refused", "refused")


def test_salt_is_taken_once_for_a_batch_and_quoted(place: Stage) -> None:
    tag = place.game()

    first = place.say(tag, SPAIN, "соль:  Йо-хо-хо   и бутылка рома! ")

    assert only(first).facts == {"phrase": "Йо-хо-хо и бутылка рома!"}
    assert (first.phrase, first.phrase_automatic) == ("Йо-хо-хо и бутылка рома!", False)

    second = place.say(tag, SPAIN, "соль: другая")

    assert (only(second).mark, only(second).key) == ("command-refused", "salt-kept")
    assert second.phrase == "Йо-хо-хо и бутылка рома!"


def test_seat_without_a_phrase_gets_the_id_of_its_first_mail(place: Stage) -> None:
    tag = place.game()
    first = place.say(tag, SPAIN, SPAIN_ORDERS)
    second = place.say(tag, SPAIN, "готов")

    assert (first.phrase, first.phrase_automatic) == ("mid:<1.letter@example.org>", True)
    assert second.phrase == first.phrase


def test_correction_of_orders_never_changes_the_phrase(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS + "соль: раз")

    assert place.say(tag, SPAIN, SPAIN_ORDERS).phrase == "раз"


def test_language_and_zone_are_settings_shown_as_understood(place: Stage) -> None:
    tag = place.game()

    receipt = place.say(tag, SPAIN, "язык en\nзона Омск")

    assert [(line.key, line.facts) for line in receipt.lines] == [
        ("language", {"language": "en"}),
        ("zone", {"zone": "Asia/Omsk"}),
    ]
    assert (receipt.reader.language, receipt.reader.zone) == ("en", "Asia/Omsk")
    assert place.say(tag, SPAIN, SPAIN_ORDERS).in_force[0] == "“Сан-Фелипе”: stand"


@pytest.mark.parametrize(("line", "key"), [("язык fr", "unknown-language"), ("зона Атлантида", "unknown-zone")])
def test_setting_that_is_none_is_refused(place: Stage, line: str, key: str) -> None:
    found = only(place.say(place.game(), SPAIN, line))

    assert (found.mark, found.key) == ("command-refused", key)


def test_status_map_help_and_log_are_answered_in_the_receipt(place: Stage) -> None:
    receipt = place.say(place.game(), SPAIN, "статус\nкарта\nпомощь\nжурнал")

    assert receipt.reply is not None
    assert sorted(receipt.reply) == ["help", "log", "map", "status"]
    assert receipt.reply["help"]["examples"] != []
    assert [turn["turn"] for turn in receipt.reply["log"]["turns"]] == [0]


def test_questions_change_nothing(place: Stage) -> None:
    tag = place.game()
    before = place.say(tag, SPAIN, SPAIN_ORDERS + "готов")

    after = place.say(tag, SPAIN, "статус\nкарта\nпомощь")

    assert (after.word, after.in_force, after.commitment) == (before.word, before.in_force, "")


def test_rules_are_answered_whole_or_by_topic(place: Stage) -> None:
    tag = place.game()
    whole = place.say(tag, SPAIN, "правила").reply
    part = place.say(tag, SPAIN, "правила P18").reply

    assert whole is not None
    assert part is not None
    assert part["rules"]["text"] in whole["rules"]["text"]
    assert 0 < len(part["rules"]["text"]) < len(whole["rules"]["text"]) / 10


def test_rules_without_such_a_topic_are_refused(place: Stage) -> None:
    line = only(place.say(place.game(), SPAIN, "правила рокировка"))

    assert (line.mark, line.key) == ("command-refused", "no-topic")


def test_report_is_sent_again_as_it_was(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "отчёт")
    (_, first), *_ = [one for one in place.letters("report", ANNA) if one[0].turn == 1]
    ((letter, again),) = place.letters("report-again", ANNA)

    assert again == first
    assert (letter.turn, letter.opening) == (1, False)


def test_report_of_a_named_turn_is_sent_again(place: Stage) -> None:
    tag = place.game()
    place.pass_deadline(tag)
    place.say(tag, SPAIN, "отчёт 0")
    ((_, again),) = place.letters("report-again", ANNA)

    assert isinstance(again, Report)
    assert again.turn == 0


def test_report_that_there_is_not_is_refused(place: Stage) -> None:
    line = only(place.say(place.game(), SPAIN, "отчёт 9"))

    assert (line.mark, line.key, line.facts) == ("command-refused", "no-such-turn", {"turn": 9})


def test_whole_log_comes_as_a_letter_of_its_own(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, "журнал всё")

    assert [row.address for row, _ in place.letters("whole-log")] == [ANNA]


def test_lines_after_the_end_word_and_in_quotes_are_not_read(place: Stage) -> None:
    tag = place.game()
    text = "корабль 1: стоять\nконец\nкорабль 2: стоять\n\n> корабль 3: стоять\n"

    receipt = place.say(tag, SPAIN, text)

    assert (len(receipt.in_force), receipt.set_aside) == (1, 2)


def test_letter_written_earlier_that_arrives_later_says_so(place: Stage) -> None:
    tag = place.game()
    place.clock.move(HOUR)
    first = place.say(tag, SPAIN, SPAIN_ORDERS)
    second = place.say(tag, SPAIN, "корабль 1: стоять", date=place.clock.now() - 30 * MINUTE)

    assert (first.overtaken, second.overtaken) == (False, True)


def test_mail_read_late_takes_the_place_of_its_arrival(real: Stage) -> None:
    """Junk shows a mail that arrived first only after the inbox has shown a later one."""
    tag = real.game()
    real.clock.move(5 * MINUTE)
    real.say(tag, SPAIN, SPAIN_ORDERS + "готов")

    late = real.say(tag, SPAIN, "отмена", folder="Junk", arrival=real.clock.now() - 3 * MINUTE)

    assert (late.word, len(late.in_force)) == ("ready", 3)
    assert (real.word(tag, SPAIN), len(real.in_force(tag, SPAIN))) == ("ready", 3)


def test_receipt_shows_a_count_or_nothing_of_the_others_as_the_game_says(empty: Stage) -> None:
    counted = empty.game(header=Header(who_in="count"))
    receipt = empty.say(counted, SPAIN, SPAIN_ORDERS)

    assert (receipt.others, receipt.count_in) == ((), (1, 2))
    assert empty.events(counted, "order")[-1].get("seat") is None

    hidden = empty.game(header=Header(who_in="hidden"))
    receipt = empty.say(hidden, SPAIN, SPAIN_ORDERS)

    assert (receipt.others, receipt.count_in) == ((), None)


def test_receipt_goes_to_the_main_address_and_to_the_one_written_from(place: Stage) -> None:
    tag = place.game()

    def second_address(work: Work) -> None:
        player = work.session.exec(select(Player).where(Player.name == "Анна")).one()
        address = "anna@work.example"
        work.add(Address(player_id=player.id or 0, address=address, main=False, confirmed=work.now))

    place.alter(second_address)
    place.write(tag, SPAIN, SPAIN_ORDERS, sender="anna@work.example")
    place.settle()

    assert [row.address for row, _ in place.letters("receipt")] == [ANNA, "anna@work.example"]


# Quotes of our own letters (3.3)


def template(place: Stage, address: str) -> list[str]:
    report = [value for _, value in place.letters("report", address)][-1]
    assert isinstance(report, Report)
    return list(report.template)


def quoting(lines: list[str], own: str = "") -> str:
    quote = "".join(f"> {line}\n" for line in lines)
    return f"{own}\n05.01.2026, 15:00, Судья <judge@example.org> пишет:\n{quote}"


def test_edited_quote_is_not_in_force_until_it_is_confirmed(empty: Stage) -> None:
    tag = empty.game()
    empty.settle()
    edited = [line.replace("СВ 3", "СВ 1") for line in template(empty, ANNA)]
    assert edited != template(empty, ANNA)

    receipt = empty.say(tag, SPAIN, quoting(edited, "статус\n"))

    assert receipt.in_force == ()
    assert len(receipt.edited_quote) == 3

    letter, _ = empty.letters("receipt")[-1]
    taken = empty.say(tag, SPAIN, "да", answers=letter.message_id)

    assert len(taken.in_force) == 3
    assert taken.in_force == tuple(line.read for line in receipt.edited_quote)
    assert taken.commitment != ""


def test_yes_to_a_receipt_that_asked_nothing_does_nothing(place: Stage) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    letter, _ = place.letters("receipt")[-1]
    place.write(tag, SPAIN, "да", answers=letter.message_id)
    place.settle()

    assert place.verdicts()[-1] == ("empty", "no-intent")


def test_stranger_cannot_confirm_for_a_seat(empty: Stage) -> None:
    tag = empty.game()
    empty.settle()
    edited = [line.replace("СВ 3", "СВ 1") for line in template(empty, ANNA)]
    empty.say(tag, SPAIN, quoting(edited, "статус\n"))
    letter, _ = empty.letters("receipt")[-1]

    empty.deliver(empty.message(BORIS, "да", answers=letter.message_id))
    empty.settle()

    assert empty.in_force(tag, SPAIN) == ()


def test_edited_quote_alone_is_receipted_too(empty: Stage) -> None:
    tag = empty.game()
    empty.settle()
    edited = [line.replace("СВ 3", "СВ 1") for line in template(empty, ANNA)]

    receipt = empty.say(tag, SPAIN, quoting(edited))

    assert (receipt.lines, receipt.in_force, len(receipt.edited_quote)) == ((), (), 3)
