"""Mails of every shape and damage in the service: kept byte for byte as they came, each with one verdict."""

from __future__ import annotations

from sqlmodel import col, select

from adjudicator.storage.tables import Mail
from tests.adjudicator.services.stage import SPAIN, SPAIN_ORDERS, Stage
from tests.adjudicator.services.test_mail_faults import letter_of
from tests.mail.corpus import samples

ODD = (
    b"",
    b"\x00\xff\r\n\r\n\xff",
    b"From: \xc8\xe3\xee\xf0\xfc <vera@example.org>\nSubject: \xf5\xee\xe4\x0c5\r\n\r\n\xef\xe8\xf0\xe0\xf2",
    b"From: vera@example.org\rSubject: bare\r\rtext\r",
    b'From: vera@example.org\r\nTo: (c):\r\nCc: "\r\nMessage-ID: <[x]@[y].Z>\r\nContent-Type: a/b; name*\r\n\r\nx',
    b"From: vera@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n\x81",
    b"From: vera@example.org\r\nContent-Type: text/plain; charset=unknown-8bit\r\n\r\n\xd0\xcf\x1a \t\r\n",
)


def test_raw_bytes_are_kept_as_they_came_and_every_mail_gets_one_verdict(place: Stage) -> None:
    sent = [*ODD, *(sample.raw for sample in samples()[::3])]
    for raw in sent:
        place.deliver(raw)
    place.settle()

    with place.house.look() as work:
        found = [(place.house.vault.open(row.raw or b""), row.verdict) for row in work.session.exec(select(Mail))]
    assert sorted(raw for raw, _ in found) == sorted({*sent})
    assert {verdict for _, verdict in found} <= {"orders", "held", "automatic", "bounce", "quarantined", "empty"}


def test_a_subject_with_controls_is_kept_raw_and_shown_without_them(place: Stage) -> None:
    tag = place.game()
    raw = letter_of(place, tag, SPAIN, SPAIN_ORDERS.encode(), "Subject: ход\x0c5 \x1b[31m".encode())
    place.deliver(raw)
    place.settle()

    with place.house.look() as work:
        row = work.session.exec(select(Mail).order_by(col(Mail.id).desc())).first()
    assert row is not None
    assert row.raw is not None
    assert (place.house.vault.open(row.raw), row.verdict) == (raw, "orders")
    assert row.subject == "ход 5 [31m"
