"""Nobody plays for another: what looks like proof and is none, what is kept of every decision (play-by-mail 4)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import col, select

from adjudicator.services import people, tokens
from adjudicator.services.identity import Grounds
from adjudicator.services.work import Work
from adjudicator.storage.tables import Address, Mail, Player, Tenure
from engine.core import codec
from mail.providers import Pin, pin
from tests.adjudicator.services.stage import (
    ANNA,
    BORIS,
    JUDGE,
    PIRATES,
    SPAIN,
    SPAIN_ORDERS,
    VERA,
    Stage,
    maildir_stage,
)
from tests.servers.smtp_sink import SmtpSink

CAFE = "cafe@example.net"
SIGNED = ("DKIM-Signature", "v=1; a=rsa-sha256; d=example.org; s=mail; h=from:to:subject; bh=x; b=y")
DKIM = [("Authentication-Results", "mx.google.com; dkim=pass header.i=@example.org"), SIGNED]
DMARC = [("Authentication-Results", "mx.google.com; dmarc=pass header.from=example.org")]


@pytest.fixture(name="google")
def google_mailbox(tmp_path: Path, smtp_sink: SmtpSink, played: str) -> Iterator[Stage]:
    """Give a service whose mailbox is at Google."""
    with maildir_stage(played, smtp_sink, tmp_path, authserv=pin(provider="google") or Pin()) as made:
        yield made


@pytest.fixture(name="yandex")
def yandex_mailbox(tmp_path: Path, smtp_sink: SmtpSink, played: str) -> Iterator[Stage]:
    """Give a service whose mailbox is at Yandex."""
    with maildir_stage(played, smtp_sink, tmp_path, authserv=pin(provider="yandex") or Pin()) as made:
        yield made


def last(stage: Stage) -> Mail:
    stage.settle()
    with stage.house.look() as work:
        return work.session.exec(select(Mail).order_by(col(Mail.id).desc())).first() or Mail()


def outcome(stage: Stage) -> tuple[str, str]:
    row = last(stage)
    return row.verdict, row.why


def grounds(stage: Stage) -> Grounds:
    found: Grounds = codec.decode(last(stage).grounds, Grounds)
    return found


def raw(*headers: tuple[str, str], text: str = SPAIN_ORDERS) -> bytes:
    """Build a mail of which every header is said, as bytes: no library would write such."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{head}Message-ID: <1@example.net>\r\n\r\n{text}".encode()


# What is no proof


@pytest.mark.parametrize(
    "headers",
    [
        [("From", f'"{ANNA}" <evil@example.net>')],
        [("From", f'"Анна <{ANNA}>" <evil@example.net>')],
        [("From", f"evil@example.net ({ANNA})")],
        [("From", "=?utf-8?q?anna=40example=2Eorg?= <evil@example.net>")],
        [("From", f"{ANNA} <evil@example.net>")],
        [("From", f"{ANNA}, evil@example.net")],
        [("From", ANNA), ("From", "evil@example.net")],
        [("From", "evil@example.net"), ("From", ANNA)],
        [("From", f"crew: {ANNA};")],
        [("From", f'<evil"{ANNA}>')],
        [("From", "<evil@example.net:anna@example.org>")],
        [("From", "evil@example.net"), ("Sender", ANNA)],
        [("From", "evil@example.net"), ("Reply-To", ANNA)],
        [("From", "evil@example.net"), ("Resent-From", ANNA), ("Resent-Sender", ANNA)],
        [("From", "evil@example.net"), ("X-Original-From", ANNA), ("X-Sender", ANNA), ("Return-Path", f"<{ANNA}>")],
        [("From", "anna+me@example.org")],
        [("From", "an.na@example.org")],
        [("From", "аnna@example.org")],
        [("From", "anna@exаmple.org")],
        [("From", "anna@example.org.evil.example.net")],
        [("From", "anna@sub.example.org")],
        [("From", "")],
    ],
)
def test_nothing_but_the_one_address_of_from_says_who_writes(google: Stage, headers: list[tuple[str, str]]) -> None:
    tag = google.game()
    to = tokens.reply_address(JUDGE, google.carrier(tag, SPAIN))
    google.deliver(raw(*DMARC, *DKIM, *headers, ("To", to), ("Subject", f"[{tag}]")))

    assert outcome(google) in (("held", "no-address"), ("held", "unknown-sender"))
    assert google.in_force(tag, SPAIN) == ()
    assert google.letters("receipt") == []
    assert {address for _, address in google.kinds()} <= {ANNA, BORIS, "host@example.org"}


@pytest.mark.parametrize("sender", ["ANNA@EXAMPLE.ORG", "Анна <Anna@Example.Org.>", '"x@y" <anna@example.org>'])
def test_ones_own_address_is_known_however_it_is_written(google: Stage, sender: str) -> None:
    tag = google.game()
    google.deliver(raw(*DMARC, ("From", sender), ("To", JUDGE)))

    assert outcome(google) == ("orders", "")
    assert len(google.in_force(tag, SPAIN)) == 3


def test_thread_headers_as_such_grant_nothing(place: Stage) -> None:
    tag = place.game()
    guessed = tokens.message_id(place.house.vault.__class__(bytes(32)), JUDGE, f"report/{tag}/1/r0/{SPAIN}/1")
    place.deliver(place.message(ANNA, SPAIN_ORDERS, answers=guessed, headers=[("References", guessed)]))

    assert outcome(place) == ("held", "unproven")


def test_forged_results_of_yandex_execute_nothing_and_the_owner_is_asked_once(yandex: Stage) -> None:
    tag = yandex.game()
    forged = [("Authentication-Results", "aaa.example; dkim=pass header.i=@example.org")]
    yandex.deliver(yandex.message(ANNA, SPAIN_ORDERS, headers=forged))

    assert outcome(yandex) == ("held", "unproven")
    assert yandex.in_force(tag, SPAIN) == ()
    yandex.settle()
    assert [row.address for row, _ in yandex.letters("held")] == [ANNA]
    assert grounds(yandex) == Grounds(result="none", why="no-trusted-result")


def test_forged_results_in_yandexs_own_name_execute_nothing(yandex: Stage) -> None:
    tag = yandex.game()
    forged = [("Authentication-Results", "mxfront7g.mail.yandex.net; dkim=pass header.i=@example.org")]
    yandex.deliver(yandex.message(ANNA, SPAIN_ORDERS, headers=forged))

    assert outcome(yandex) == ("held", "unproven")
    assert yandex.in_force(tag, SPAIN) == ()


def test_signed_mail_to_another_that_is_sent_on_to_us_is_no_order(google: Stage) -> None:
    tag = google.game()
    google.deliver(google.message(ANNA, SPAIN_ORDERS, to=BORIS, headers=[*DKIM, ("Resent-To", JUDGE)]))

    assert outcome(google) == ("held", "unproven")
    assert google.in_force(tag, SPAIN) == ()
    assert grounds(google).addressed is False


def test_mail_that_names_us_among_others_is_to_us(google: Stage) -> None:
    tag = google.game()
    google.deliver(google.message(ANNA, SPAIN_ORDERS, to=BORIS, headers=[*DKIM, ("Cc", f"Судья <{JUDGE.upper()}>")]))

    assert outcome(google) == ("orders", "")
    assert len(google.in_force(tag, SPAIN)) == 3


def test_fail_holds_whatever_else_is_shown(google: Stage) -> None:
    tag = google.game()
    letter, _ = google.letters("report", ANNA)[-1]
    failed = [
        (
            "Authentication-Results",
            "mx.google.com; dkim=pass header.i=@evil.example; dmarc=fail header.from=example.org",
        )
    ]
    google.write(tag, SPAIN, SPAIN_ORDERS, answers=letter.message_id, headers=[*failed, *DMARC, SIGNED])

    assert outcome(google) == ("held", "auth-fail")
    assert grounds(google) == Grounds(carrier="plus", token="own", result="fail", why="dmarc=fail", by="mx.google.com")


# Tokens


@pytest.mark.parametrize(
    "header", ["To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "X-Delivered-To", "X-Envelope-To"]
)
def test_token_counts_in_every_header_that_names_a_reader(place: Stage, header: str) -> None:
    tag = place.game()
    to = tokens.reply_address(JUDGE, place.carrier(tag, SPAIN))
    place.deliver(raw(("From", ANNA), (header, to)))

    assert outcome(place) == ("orders", "")
    assert grounds(place).carrier == "plus"


@pytest.mark.parametrize("header", ["Bcc", "Reply-To", "Subject", "X-Token", "Sender", "Comments"])
def test_token_counts_in_no_other_header(place: Stage, header: str) -> None:
    tag = place.game()
    to = tokens.reply_address(JUDGE, place.carrier(tag, SPAIN))
    place.deliver(raw(("From", ANNA), ("To", JUDGE), (header, to)))

    assert outcome(place) == ("held", "unproven")


def test_token_in_the_plus_part_of_anothers_address_is_none(place: Stage) -> None:
    tag = place.game()
    place.deliver(raw(("From", ANNA), ("To", f"trap+{place.carrier(tag, SPAIN)}@example.net"), ("Cc", JUDGE)))

    assert outcome(place) == ("held", "unproven")


def test_token_in_capitals_is_the_same(place: Stage) -> None:
    tag = place.game()
    place.deliver(raw(("From", ANNA), ("To", tokens.reply_address(JUDGE, place.carrier(tag, SPAIN)).upper())))

    assert outcome(place) == ("orders", "")


def test_token_that_a_quote_cut_in_two_is_proof(place: Stage) -> None:
    tag = place.game()
    carrier = place.carrier(tag, SPAIN)
    cut = f"\n05.01.2026, 15:00, Судья <judge+{carrier[:24]}=\n> {carrier[24:]}@example.org> пишет:\n"
    place.deliver(raw(("From", ANNA), ("To", JUDGE), text=f"{SPAIN_ORDERS}{cut}> корабль 1: курс В 1\n"))

    assert outcome(place)[0] == "orders"
    assert grounds(place).carrier == "text"


def test_token_inside_references_alone_is_proof(place: Stage) -> None:
    tag = place.game()
    letter, _ = place.letters("report", ANNA)[-1]
    place.deliver(place.message(ANNA, SPAIN_ORDERS, headers=[("References", f"<a@b> {letter.message_id} <c@d>")]))

    assert outcome(place) == ("orders", "")
    assert grounds(place) == Grounds(carrier="thread", token="own", why="nothing-pinned")
    assert len(place.in_force(tag, SPAIN)) == 3


def test_token_of_one_game_is_none_for_another(place: Stage) -> None:
    first, second = place.game(), place.game(cast=((ANNA, "Анна", "ru", SPAIN), (VERA, "Вера", "ru", PIRATES)))
    carrier = place.carrier(first, SPAIN).replace(f"{first}.", f"{second}.")
    place.deliver(place.message(ANNA, SPAIN_ORDERS, to=tokens.reply_address(JUDGE, carrier)))

    assert outcome(place) == ("held", "unproven")


def test_token_with_the_number_of_another_tenure_is_none(place: Stage) -> None:
    tag = place.game()
    mine, other = place.carrier(tag, SPAIN), place.tenure(tag, PIRATES).id
    moved = ".".join((tag, f"s{other}", mine.rpartition(".")[2]))
    place.deliver(place.message(BORIS, SPAIN_ORDERS, to=tokens.reply_address(JUDGE, moved)))

    assert outcome(place) == ("held", "unproven")


def test_token_of_a_tenure_that_has_ended_is_none_in_any_carrier(place: Stage) -> None:
    tag = place.game()
    old, (letter, _) = place.carrier(tag, SPAIN), place.letters("report", ANNA)[-1]

    def substituted(work: Work) -> None:
        tenure = work.session.exec(select(Tenure).where(Tenure.seat == SPAIN)).one()
        tenure.until = work.now
        boris = work.session.exec(select(Player).where(Player.name == "Борис")).one()
        work.add(Tenure(game_id=tenure.game_id, seat=SPAIN, player_id=boris.id or 0, since=work.now))

    place.alter(substituted)
    for how in (
        {"to": tokens.reply_address(JUDGE, old)},
        {"answers": letter.message_id},
        {"text": f"{SPAIN_ORDERS}\n> ключ: {old}\n"},
    ):
        place.deliver(place.message(ANNA, **{"text": SPAIN_ORDERS, **how}))
        assert outcome(place)[0] in ("held", "late")
        assert place.in_force(tag, SPAIN) == ()


def test_new_key_by_mail_leaves_nothing_of_the_old_one(place: Stage) -> None:
    tag = place.game()
    old, (letter, _) = place.carrier(tag, SPAIN), place.letters("report", ANNA)[-1]
    place.say(tag, SPAIN, "новый ключ")

    for how in ({"to": tokens.reply_address(JUDGE, old)}, {"answers": letter.message_id}):
        place.deliver(place.message(ANNA, SPAIN_ORDERS, **how))
        assert outcome(place) == ("held", "unproven")
    place.say(tag, SPAIN, SPAIN_ORDERS)


# Several addresses


def test_every_registered_address_of_a_player_speaks_for_him_with_proof_of_its_own(google: Stage) -> None:
    tag = google.game()

    def add(work: Work) -> None:
        anna = people.holders_of(work, ANNA)[0]
        work.add(Address(player_id=anna.id or 0, address="anna@mail.example", main=False, confirmed=work.now))

    google.alter(add)
    google.deliver(google.message("anna@mail.example", SPAIN_ORDERS, headers=DKIM))
    assert outcome(google) == ("held", "unproven")  # the signature is example.org's

    google.write(tag, SPAIN, SPAIN_ORDERS, sender="Anna@Mail.Example")
    assert outcome(google) == ("orders", "")
    assert sorted({row.address for row, _ in google.letters("receipt")}) == [ANNA, "anna@mail.example"]


# What is kept


@pytest.mark.parametrize(
    ("how", "kept"),
    [
        ("dkim", Grounds(result="pass", why="dkim=pass", by="mx.google.com", signer="example.org")),
        ("dmarc", Grounds(result="pass", why="dmarc=pass", by="mx.google.com")),
        ("plus", Grounds(carrier="plus", token="own", result="none", why="no-trusted-result")),
        ("foreign", Grounds(carrier="plus", token="another's", result="none", why="no-trusted-result")),
        ("nothing", Grounds(result="none", why="no-trusted-result")),
    ],
)
def test_grounds_of_every_decision_is_kept_and_holds_no_secret(google: Stage, how: str, kept: Grounds) -> None:
    tag = google.game()
    carrier = google.carrier(tag, PIRATES if how == "foreign" else SPAIN)
    to = tokens.reply_address(JUDGE, carrier) if how in ("plus", "foreign") else JUDGE
    google.deliver(google.message(ANNA, SPAIN_ORDERS, to=to, headers={"dkim": DKIM, "dmarc": DMARC}.get(how, [])))

    assert grounds(google) == kept
    assert carrier.rpartition(".")[2] not in last(google).grounds


def test_grounds_of_a_trusted_source_says_so(tmp_path: Path, smtp_sink: SmtpSink, played: str) -> None:
    with maildir_stage(played, smtp_sink, tmp_path, trusted=True) as trusted:
        trusted.game()
        trusted.deliver(trusted.message(ANNA, SPAIN_ORDERS))

        assert grounds(trusted) == Grounds(source=True, why="nothing-pinned")


# Other scripts


@pytest.mark.parametrize("sender", ["игорь@пример.рф", "Игорь <ИГОРЬ@ПРИМЕР.РФ>", "игорь@xn--e1afmkfd.xn--p1ai"])
def test_address_in_another_script_is_its_holders_however_it_is_written(google: Stage, sender: str) -> None:
    tag = google.game(cast=(("игорь@пример.рф", "Игорь", "ru", SPAIN), (BORIS, "Борис", "ru", PIRATES)))
    said = "mx.google.com; dmarc=pass header.from=xn--e1afmkfd.xn--p1ai"
    google.deliver(raw(("Authentication-Results", said), ("From", sender), ("To", JUDGE), ("Subject", f"[{tag}]")))

    assert outcome(google) == ("orders", "")
    assert len(google.in_force(tag, SPAIN)) == 3
