"""A letter's value to its bytes: what mail programs need to show it, to thread it and to leave the list."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from typing import Any

import pytest

from adjudicator.services import post
from adjudicator.services.outbox import Envelope, Job
from mail.message import decode
from mail.robots import Kind, classify
from tests.adjudicator.words import samples


def job(envelope: Envelope, **other: Any) -> Job:
    known: dict[str, Any] = {
        "letter_id": 1,
        "to": "anna@example.org",
        "outbox_id": "letter",
        "envelope": envelope,
        "from_name": "Судья",
        "from_address": "judge@pirates.example",
        "message_id": "<letter@pirates.example>",
        "in_reply_to": "",
        "thread": "",
        "date": datetime(2026, 3, 2, 16, 5, tzinfo=UTC),
        "list_id": "pirates-1.pirates.example",
    }
    return Job(**{**known, **other})


def test_pictures_are_named_by_a_content_id_with_a_domain_where_the_html_asks_for_them() -> None:
    raw, _, _ = post.make(job(Envelope(report=samples.report("ru"))))
    message: Any = message_from_bytes(raw, policy=policy.default)
    named = [part["Content-ID"] for part in message.walk() if part["Content-ID"]]
    asked = re.findall(r'src="cid:(.*?)"', message.get_body(("html",)).get_content())
    assert (named, asked) == (["<map@pirates.example>"], ["map@pirates.example"])


LETTERS = {
    "report": Envelope(report=samples.report("ru")),
    "receipt": Envelope(receipt=samples.receipt("ru")),
}


@pytest.mark.parametrize("envelope", LETTERS.values(), ids=LETTERS.keys())
def test_no_html_part_is_empty_and_the_map_is_a_png_inside_the_letter(envelope: Envelope) -> None:
    raw, text, _ = post.make(job(envelope))
    message: Any = message_from_bytes(raw, policy=policy.default)
    html = message.get_body(("html",)).get_content()

    assert len(re.sub(r"<style.*?</style>|<[^>]*>|\s", "", html, flags=re.DOTALL)) > len("".join(text.split())) / 3
    assert ("<svg" in html, "data:" in html) == (False, False)
    pictures = [part for part in message.walk() if part["Content-ID"]]
    assert [(part.get_content_type(), part.get_content()[:4]) for part in pictures] == [
        ("image/png", b"\x89PNG") for _ in pictures
    ]
    assert len(pictures) == (envelope.report is not None)


@pytest.mark.parametrize("envelope", LETTERS.values(), ids=LETTERS.keys())
def test_a_letter_can_be_left_by_mail_and_promises_no_click_that_nobody_serves(envelope: Envelope) -> None:
    message: Any = message_from_bytes(post.make(job(envelope))[0], policy=policy.default)

    assert message["List-Unsubscribe"] == "<mailto:judge+k7q2@example.org?subject=unsubscribe>"
    assert message["List-Unsubscribe-Post"] is None


def test_a_receipt_names_what_it_answers_and_what_that_answered_as_it_came() -> None:
    odd = "<[8C4F@x].OUTLOOK.COM>"
    raw, _, _ = post.make(job(LETTERS["receipt"], in_reply_to=odd, thread="<first@pirates.example>"))
    head = raw.partition(b"\r\n\r\n")[0].replace(b"\r\n ", b" ").split(b"\r\n")

    assert f"In-Reply-To: {odd}".encode() in head
    assert f"References: <first@pirates.example> {odd}".encode() in head
    assert b"Auto-Submitted: auto-replied" in head
    assert classify(decode(raw)).kind is Kind.AUTOMATIC
