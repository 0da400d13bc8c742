"""A letter's value to its bytes: what mail programs need to show the map inside the letter."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email import message_from_bytes, policy
from typing import Any

from adjudicator.services import post
from adjudicator.services.outbox import Envelope, Job
from tests.adjudicator.words import samples


def test_pictures_are_named_by_a_content_id_with_a_domain_where_the_html_asks_for_them() -> None:
    job = Job(
        letter_id=1,
        to="anna@example.org",
        outbox_id="letter",
        envelope=Envelope(report=samples.report("ru")),
        from_name="Судья",
        from_address="judge@pirates.example",
        message_id="<letter@pirates.example>",
        in_reply_to="",
        thread="",
        date=datetime(2026, 3, 2, 16, 5, tzinfo=UTC),
        list_id="pirates-1.pirates.example",
    )
    raw, _, _ = post.make(job)
    message: Any = message_from_bytes(raw, policy=policy.default)
    named = [part["Content-ID"] for part in message.walk() if part["Content-ID"]]
    asked = re.findall(r'src="cid:(.*?)"', message.get_body(("html",)).get_content())
    assert (named, asked) == (["<map@pirates.example>"], ["map@pirates.example"])
