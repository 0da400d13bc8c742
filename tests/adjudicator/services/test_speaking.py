"""Who is speaking, to which game, for which seat; what is held, and who is never answered (play-by-mail 4, 7)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from adjudicator.letters import Notice
from adjudicator.services import games, people, render, tokens
from adjudicator.services.work import Work
from adjudicator.storage.tables import Address, Player, Tenure
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    HOUR,
    JUDGE,
    PIRATES,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
    imap_stage,
    maildir_stage,
)
from tests.servers.dovecot import Account, Dovecot
from tests.servers.smtp_sink import SmtpSink

MX = "mx.provider.example"


@pytest.fixture
def pinned(smtp_sink: SmtpSink, dovecot: Dovecot, mailbox: Account, played: str) -> Iterator[Stage]:
    """Give a service whose mailbox provider's authserv-id is pinned."""
    with imap_stage(played, smtp_sink, dovecot, mailbox, authserv=MX) as made:
        yield made


@pytest.fixture
def trusted(tmp_path: Path, smtp_sink: SmtpSink, played: str) -> Iterator[Stage]:
    """Give a service whose Maildir the operator trusts."""
    with maildir_stage(played, smtp_sink, tmp_path, trusted=True) as made:
        yield made


def verdict(stage: Stage) -> tuple[str, str]:
    stage.settle()
    return stage.verdicts()[-1]


def vouched(result: str) -> list[tuple[str, str]]:
    return [("Authentication-Results", f"{MX}; {result} header.from=example.org")]


# Proof


def test_token_in_the_plus_address_is_proof(place: Stage) -> None:
    tag = place.game()

    assert len(place.say(tag, SPAIN, SPAIN_ORDERS).in_force) == 3


def test_token_in_the_message_id_of_the_letter_answered_is_proof(place: Stage) -> None:
    tag = place.game()
    letter, _ = place.letters("report", ANNA)[-1]
    place.deliver(place.message(ANNA, SPAIN_ORDERS, answers=letter.message_id))

    assert verdict(place) == ("orders", "")
    assert len(place.in_force(tag, SPAIN)) == 3


def test_token_quoted_in_the_text_is_proof(place: Stage) -> None:
    tag = place.game()
    address = tokens.reply_address(JUDGE, place.carrier(tag, SPAIN))
    quote = f"\n05.01.2026, 15:00, Судья <{address}> пишет:\n> корабль 1: курс В 1\n"
    place.deliver(place.message(ANNA, SPAIN_ORDERS + quote))

    assert verdict(place) == ("orders", "")


def test_registered_address_alone_is_no_proof_and_is_asked(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))

    assert verdict(place) == ("held", "unproven")
    assert place.in_force(tag, SPAIN) == ()
    (held,) = place.notices("held", ANNA)
    assert (held["why"], held["lines"]) == ("unproven", SPAIN_ORDERS.splitlines())
    assert [line["read"] for line in held["as_read"]] == [
        "«Сан-Фелипе»: стоять",
        "«Санта-Мария»: стоять",
        "«Эспириту-Санто»: стоять",
    ]
    assert place.letters("receipt") == []


def test_held_mail_counts_from_its_own_arrival_once_it_is_confirmed(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.later(HOUR)
    place.say(tag, SPAIN, "корабль 1: курс СВ 1")
    question, _ = place.letters("held", ANNA)[-1]

    receipt = place.say(tag, SPAIN, "да", answers=question.message_id)

    assert [verdict for verdict, _ in place.verdicts()] == ["orders", "orders", "orders"]
    assert sorted(receipt.in_force) == [
        "«Сан-Фелипе»: курс СВ 1",  # said later, so it stands
        "«Санта-Мария»: стоять",
        "«Эспириту-Санто»: стоять",
    ]


def test_held_mail_is_shown_as_it_would_be_read_with_what_is_wrong_in_it(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, "корабль 1: курс СВ 9\nкорабль 77: стоять\nстатус", subject=f"[{tag}]"))
    place.settle()

    (held,) = place.notices("held", ANNA)
    assert [(line["text"], line["mark"]) for line in held["as_read"]] == [
        ("корабль 1: курс СВ 9", "cut"),
        ("корабль 77: стоять", "refused"),
        ("статус", "command"),
    ]
    letter = place.letters("held", ANNA)[-1][1]
    assert isinstance(letter, Notice)
    assert "корабль 77" in render.render(letter).text
    assert place.in_force(tag, SPAIN) == ()


def test_held_mail_that_its_owner_denies_is_dropped_for_good(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.settle()
    question, _ = place.letters("held", ANNA)[-1]
    place.write(tag, SPAIN, "нет", answers=question.message_id)
    place.settle()
    place.write(tag, SPAIN, "да", answers=question.message_id)
    place.settle()

    assert place.verdicts() == [("empty", "denied"), ("orders", "denies 1"), ("empty", "no-intent")]
    assert place.in_force(tag, SPAIN) == ()
    assert [facts["sender"] for facts in place.notices("held-denied", ANNA)] == [ANNA]


def test_held_mail_is_confirmed_once_however_often_it_is_said(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.settle()
    question, _ = place.letters("held", ANNA)[-1]
    for _ in range(2):
        place.write(tag, SPAIN, "да", answers=question.message_id)
        place.settle()

    assert place.verdicts() == [("orders", "unproven"), ("orders", "confirms 1"), ("empty", "no-intent")]
    assert len(place.letters("receipt")) == 1


def test_owner_of_a_token_that_came_from_an_unknown_address_is_asked_and_may_confirm(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, SPAIN_ORDERS, sender="cafe@example.net")
    assert verdict(place) == ("held", "unknown-sender")
    (held,) = place.notices("held", ANNA)
    assert (held["sender"], len(held["as_read"])) == ("cafe@example.net", 3)
    assert place.in_force(tag, SPAIN) == ()

    question, _ = place.letters("held", ANNA)[-1]
    place.say(tag, SPAIN, "да", answers=question.message_id)

    assert place.verdicts() == [("orders", "unknown-sender"), ("orders", "confirms 1")]
    assert len(place.in_force(tag, SPAIN)) == 3
    assert [address for _, address in place.kinds() if address == "cafe@example.net"] == []


def test_unknown_address_cannot_confirm_its_own_mail(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, SPAIN_ORDERS, sender="cafe@example.net")
    place.settle()
    question, _ = place.letters("held", ANNA)[-1]
    place.write(tag, SPAIN, "да", sender="cafe@example.net", answers=question.message_id)

    assert verdict(place) == ("held", "unknown-sender")
    assert place.in_force(tag, SPAIN) == ()


def test_a_flood_of_forged_mails_asks_their_owner_twice_a_day_and_no_more(place: Stage) -> None:
    tag = place.game()

    def second(work: Work) -> None:
        anna = people.holders_of(work, ANNA)[0]
        work.add(Address(player_id=anna.id or 0, address="anna@mail.example", main=False, confirmed=work.now))

    place.alter(second)
    for number in range(4):
        place.deliver(place.message("anna@mail.example", f"корабль 1: курс СВ {number}", subject=f"[{tag}]"))
        place.write(tag, SPAIN, f"корабль 2: курс СВ {number}", sender="cafe@example.net")
        place.settle()

    assert place.verdicts() == [("held", "unproven"), ("held", "unknown-sender")] * 4
    assert [row.address for row, _ in place.letters("held")] == [ANNA, ANNA]


def test_held_mail_cannot_be_confirmed_without_proof(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.settle()
    place.deliver(place.message(ANNA, "да", subject=f"[{tag}] ход 1"))
    place.settle()

    assert place.verdicts() == [("held", "unproven")] * 2
    assert place.in_force(tag, SPAIN) == ()


def test_held_mail_is_not_released_for_somebody_elses_seat(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.settle()
    question, _ = place.letters("held", ANNA)[-1]
    place.write(tag, PIRATES, "да", answers=question.message_id)

    assert verdict(place) == ("empty", "no-intent")
    assert place.verdicts()[0] == ("held", "unproven")
    assert place.in_force(tag, SPAIN) == place.in_force(tag, PIRATES) == ()


def test_held_mail_confirmed_after_the_lock_is_evidence(place: Stage) -> None:
    tag = place.game()
    place.deliver(place.message(ANNA, SPAIN_ORDERS, subject=f"[{tag}] ход 1"))
    place.settle()
    question, _ = place.letters("held", ANNA)[-1]
    place.pass_deadline(tag)
    place.pass_deadline(tag)  # of the grace, in which the confirmation was waited for

    receipt = place.say(tag, SPAIN, "да", answers=question.message_id)

    assert receipt.late is not None
    assert receipt.in_force == ()


def test_pass_of_the_pinned_provider_is_proof(pinned: Stage) -> None:
    tag = pinned.game()
    pinned.deliver(pinned.message(ANNA, SPAIN_ORDERS, headers=vouched("dmarc=pass")))

    assert verdict(pinned) == ("orders", "")
    assert len(pinned.in_force(tag, SPAIN)) == 3


@pytest.mark.parametrize("to_token", [False, True])
def test_fail_of_the_pinned_provider_always_holds(pinned: Stage, to_token: bool) -> None:
    tag = pinned.game()
    if to_token:
        pinned.write(tag, SPAIN, SPAIN_ORDERS, headers=vouched("dmarc=fail"))
    else:
        pinned.deliver(pinned.message(ANNA, SPAIN_ORDERS, headers=vouched("dmarc=fail")))

    assert verdict(pinned) == ("held", "auth-fail")
    assert pinned.in_force(tag, SPAIN) == ()
    assert [fact["why"] for fact in pinned.notices("held", ANNA)] == ["auth-fail"]


def test_pass_of_another_server_is_none(pinned: Stage) -> None:
    pinned.game()
    forged = [("Authentication-Results", "mx.attacker.example; dmarc=pass header.from=example.org")]
    pinned.deliver(pinned.message(ANNA, SPAIN_ORDERS, headers=forged))

    assert verdict(pinned) == ("held", "unproven")


def test_pass_without_a_pinned_provider_is_none(real: Stage) -> None:
    real.game()
    real.deliver(real.message(ANNA, SPAIN_ORDERS, headers=vouched("dmarc=pass")))

    assert verdict(real) == ("held", "unproven")


def test_trusted_source_needs_a_registered_address_only(trusted: Stage) -> None:
    tag = trusted.game()
    trusted.deliver(trusted.message(ANNA, SPAIN_ORDERS))

    assert verdict(trusted) == ("orders", "")
    assert len(trusted.in_force(tag, SPAIN)) == 3

    trusted.deliver(trusted.message("stranger@example.net", SPAIN_ORDERS))

    assert verdict(trusted) == ("held", "unknown-sender")


def test_token_of_another_seat_grants_nothing(place: Stage) -> None:
    tag = place.game()
    to = tokens.reply_address(JUDGE, place.carrier(tag, SPAIN))
    place.deliver(place.message(BORIS, SPAIN_ORDERS, to=to))

    assert verdict(place) == ("held", "foreign-token")
    assert place.in_force(tag, SPAIN) == place.in_force(tag, PIRATES) == ()


def test_own_token_counts_although_the_thread_carries_anothers_letter(place: Stage) -> None:
    tag = place.game()
    letter, _ = place.letters("report", ANNA)[-1]
    place.write(tag, PIRATES, "корабль 4: стоять", headers=[("References", letter.message_id)])

    assert verdict(place) == ("orders", "")
    assert len(place.in_force(tag, PIRATES)) == 1


def test_token_from_an_unknown_address_changes_nothing_and_is_never_answered_there(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, SPAIN_ORDERS, sender="cafe@example.net")

    assert verdict(place) == ("held", "unknown-sender")
    assert place.in_force(tag, SPAIN) == ()
    assert [address for _, address in place.kinds() if address == "cafe@example.net"] == []


def test_stranger_gets_nothing(place: Stage) -> None:
    tag = place.game()
    before = place.kinds()
    place.deliver(place.message("stranger@example.net", SPAIN_ORDERS, subject=f"[{tag}]"))

    assert verdict(place) == ("held", "unknown-sender")
    assert place.kinds() == before


def test_mail_with_two_senders_is_nobodys(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, SPAIN_ORDERS, sender=f"{ANNA}, {BORIS}")

    assert verdict(place) == ("held", "no-address")


def revoke(work: Work) -> None:
    tenure = work.session.exec(select(Tenure).where(Tenure.seat == SPAIN)).one()
    tenure.key_version += 1
    work.session.add(tenure)


def test_revoked_token_is_worth_nothing_in_any_carrier(place: Stage) -> None:
    tag = place.game()
    old, (letter, _) = place.carrier(tag, SPAIN), place.letters("report", ANNA)[-1]
    place.alter(revoke)
    assert place.carrier(tag, SPAIN) != old

    place.deliver(place.message(ANNA, SPAIN_ORDERS, to=tokens.reply_address(JUDGE, old)))
    assert verdict(place) == ("held", "unproven")

    place.deliver(place.message(ANNA, SPAIN_ORDERS, answers=letter.message_id))
    assert verdict(place) == ("held", "unproven")

    place.deliver(place.message(ANNA, SPAIN_ORDERS + f"> ключ: {old}\n"))
    assert verdict(place) == ("held", "unproven")


def test_altered_token_is_worth_nothing(place: Stage) -> None:
    tag = place.game()
    carrier = place.carrier(tag, SPAIN)
    altered = carrier[:-1] + ("a" if carrier[-1] != "a" else "b")
    place.deliver(place.message(ANNA, SPAIN_ORDERS, to=tokens.reply_address(JUDGE, altered)))

    assert verdict(place) == ("held", "unproven")


def test_answers_go_to_registered_addresses_never_to_reply_to(place: Stage) -> None:
    tag = place.game()
    place.write(tag, SPAIN, SPAIN_ORDERS, headers=[("Reply-To", "trap@example.net")])
    place.settle()

    assert [row.address for row, _ in place.letters("receipt")] == [ANNA]


# Robots


@pytest.mark.parametrize(
    ("header", "signal"),
    [
        (("Auto-Submitted", "auto-replied"), "auto-submitted"),
        (("Auto-Submitted", "auto-replied (vacation)"), "auto-submitted"),
        (("Precedence", "bulk"), "precedence"),
        (("List-Id", "<pirates.example.org>"), "list"),
        (("Return-Path", "<>"), "null-return-path"),
        (("X-Autoreply", "yes"), "robot-header"),
        (("List-Unsubscribe", "<mailto:x@example.org>"), ""),
    ],
)
def test_robot_is_never_answered_and_never_obeyed(place: Stage, header: tuple[str, str], signal: str) -> None:
    tag = place.game()
    before = place.kinds()
    place.write(tag, SPAIN, "Меня нет, отвечу потом.", headers=[header])
    assert verdict(place) == (("automatic", signal) if signal else ("held", "robot"))

    # Orders under a key may come from a person whose program calls him a robot: they are held and shown.
    place.write(tag, SPAIN, SPAIN_ORDERS, headers=[header])
    assert verdict(place) == ("held", "robot")
    assert (place.in_force(tag, SPAIN), place.kinds()) == ((), before)


def test_our_own_letter_that_comes_back_is_never_answered(place: Stage, smtp_sink: SmtpSink) -> None:
    tag = place.game()
    place.say(tag, SPAIN, SPAIN_ORDERS)
    before = place.kinds()
    place.deliver(smtp_sink.received[-1].raw)

    assert verdict(place) == ("automatic", "own-message-id")
    assert place.kinds() == before


def test_polite_answers_stop_after_the_second_of_a_day(place: Stage) -> None:
    tag = place.game()
    for _ in range(4):
        place.write(tag, SPAIN, "Спасибо, письмо получено, скоро отвечу.")
        place.settle()
    assert len(place.letters("empty")) == 2

    place.clock.move(timedelta(days=1, minutes=1))
    place.write(tag, SPAIN, "Спасибо, письмо получено.")
    place.settle()
    assert len(place.letters("empty")) == 3


def test_same_question_is_answered_twice_a_day_and_orders_always(place: Stage) -> None:
    tag = place.game()
    for _ in range(4):
        place.write(tag, SPAIN, "статус")
        place.settle()
    assert len(place.letters("receipt")) == 2

    for _ in range(3):
        place.write(tag, SPAIN, SPAIN_ORDERS)
        place.settle()
    assert len(place.letters("receipt")) == 5

    place.write(tag, SPAIN, "статус")  # the answer is another one now
    place.settle()
    assert len(place.letters("receipt")) == 6


def test_more_mails_than_the_limit_of_a_turn_are_set_aside(place: Stage) -> None:
    tag = place.game()
    for number in range(52):
        place.write(tag, SPAIN, f"корабль 1: курс СВ {number % 3 + 1}")
    place.settle()

    verdicts = place.verdicts()
    assert verdicts.count(("orders", "")) == 50
    assert verdicts.count(("quarantined", "too-many-mails")) == 2
    assert [fact["limit"] for fact in place.notices("too-many", ANNA)] == [50, 50]


# Which game


def second_game(place: Stage) -> tuple[str, str]:
    return place.game(), place.game(cast=((ANNA, "Анна", "ru", SPAIN), (VERA, "Вера", "ru", PIRATES)))


def test_token_names_the_game_whatever_the_subject_says(place: Stage) -> None:
    first, second = second_game(place)
    to = tokens.reply_address(JUDGE, place.carrier(second, SPAIN))
    place.deliver(place.message(ANNA, SPAIN_ORDERS, to=to, subject=f"[{first}] ход 1"))
    place.settle()

    assert (len(place.in_force(first, SPAIN)), len(place.in_force(second, SPAIN))) == (0, 3)


def test_letter_answered_names_the_game_before_the_subject(trusted: Stage) -> None:
    first, second = second_game(trusted)
    letter = next(row for row, _ in trusted.letters("report", ANNA) if second in row.key and row.turn == 1)
    trusted.deliver(trusted.message(ANNA, SPAIN_ORDERS, subject=f"[{first}] ход 1", answers=letter.message_id))
    trusted.settle()

    assert (len(trusted.in_force(first, SPAIN)), len(trusted.in_force(second, SPAIN))) == (0, 3)


def test_subject_names_the_game(trusted: Stage) -> None:
    first, second = second_game(trusted)
    trusted.deliver(trusted.message(ANNA, SPAIN_ORDERS, subject=f"Re: [{second.upper()}] ход 1"))
    trusted.settle()

    assert (len(trusted.in_force(first, SPAIN)), len(trusted.in_force(second, SPAIN))) == (0, 3)


def test_only_game_of_a_sender_needs_no_name(trusted: Stage) -> None:
    second_game(trusted)
    trusted.deliver(trusted.message(VERA, "корабль 4: стоять"))

    assert verdict(trusted) == ("orders", "")


def test_letter_to_no_certain_game_does_nothing_and_lists_the_senders_games(trusted: Stage) -> None:
    first, second = second_game(trusted)
    trusted.deliver(trusted.message(ANNA, SPAIN_ORDERS))

    assert verdict(trusted) == ("held", "which-game")
    assert [game["tag"] for game in trusted.notices("unknown-game", ANNA)[0]["games"]] == [first, second]
    assert trusted.in_force(first, SPAIN) == trusted.in_force(second, SPAIN) == ()


@pytest.mark.parametrize("subject", ["[pirates-99] ход 1", "[pirates-2] ход 1"])
def test_letter_to_a_game_that_is_none_of_the_senders_does_nothing(trusted: Stage, subject: str) -> None:
    first, _ = second_game(trusted)
    trusted.deliver(trusted.message(BORIS, "корабль 4: стоять", subject=subject))
    trusted.settle()

    assert (trusted.verdicts()[-1][0], len(trusted.in_force(first, PIRATES))) in (("held", 0), ("orders", 1))
    if subject.startswith("[pirates-2]"):
        assert trusted.notices("unknown-game", BORIS)[0]["games"][0]["tag"] == first


# Which seat


def two_seats(work: Work) -> None:
    """Let Anna hold both seats of the game."""
    anna = work.session.exec(select(Player).where(Player.name == "Анна")).one()
    tenure = work.session.exec(select(Tenure).where(Tenure.seat == PIRATES)).one()
    tenure.player_id = anna.id or 0
    work.session.add(tenure)


def test_letter_that_could_be_for_two_seats_does_nothing_and_lists_them(trusted: Stage) -> None:
    tag = trusted.game()
    trusted.alter(two_seats)
    trusted.deliver(trusted.message(ANNA, "статус"))

    assert verdict(trusted) == ("held", "which-seat")
    assert [seat["ru"] for seat in trusted.notices("which-seat", ANNA)[0]["seats"]] == ["Испания-1", "Пираты-1"]

    trusted.deliver(trusted.message(ANNA, "место Пираты-1\nкорабль 4: стоять"))

    assert verdict(trusted) == ("orders", "")
    assert len(trusted.in_force(tag, PIRATES)) == 1


def test_token_names_the_seat_where_an_address_holds_two(place: Stage) -> None:
    tag = place.game()
    place.alter(two_seats)
    place.write(tag, PIRATES, "корабль 4: стоять", sender=ANNA)

    assert verdict(place) == ("orders", "")
    assert len(place.in_force(tag, PIRATES)) == 1


def test_address_of_two_people_speaks_for_either_by_token(place: Stage) -> None:
    tag = place.game()

    def shared(work: Work) -> None:
        boris = work.session.exec(select(Player).where(Player.name == "Борис")).one()
        work.add(Address(player_id=boris.id or 0, address=ANNA, main=False, confirmed=work.now))
        assert [one.name for one in people.holders_of(work, ANNA)] == ["Анна", "Борис"]

    place.alter(shared)
    place.write(tag, PIRATES, "корабль 4: стоять", sender=ANNA)
    place.write(tag, SPAIN, SPAIN_ORDERS, sender=ANNA)
    place.settle()

    assert (len(place.in_force(tag, PIRATES)), len(place.in_force(tag, SPAIN))) == (1, 3)


# After the end, before the start


def test_letter_before_the_start_is_told_that_there_is_no_turn_yet(empty: Stage) -> None:
    with empty.house.unit("test") as work:
        game = games.create(work, "pirates", 2)
        for address in (ANNA, BORIS):
            invitation = games.invite(work, game, address)
            if address == ANNA:
                games.join(work, game, invitation, arrival=work.now)
    letter, _ = empty.letters("invitation", ANNA)[-1]
    empty.deliver(empty.message(ANNA, SPAIN_ORDERS, answers=letter.message_id))

    assert verdict(empty) == ("held", "no-turn")
    assert empty.notices("no-turn", ANNA)[0]["status"] == "created"
