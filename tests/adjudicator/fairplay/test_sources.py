"""Log files and pins found in files, mails and mailboxes."""

from __future__ import annotations

from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.fairplay.log import Pin, write_pin
from adjudicator.fairplay.sources import by_campaign, read_source
from adjudicator.fairplay.verify import verify
from tests.adjudicator.fairplay.table import CAMPAIGN, whole_game
from tests.adjudicator.fairplay.toy import TOY

LOG = whole_game().file()
HEAD = whole_game().book.head
SEQ = whole_game().book.seq
TEXT = "Отчёт о ходе 2\n\nFrom Sailor to Captain\n" + write_pin(Pin(SEQ, HEAD, CAMPAIGN))


def letter(*logs: tuple[str, bytes], text: str = TEXT) -> bytes:
    mail = EmailMessage()
    mail["From"] = "judge@mail.example"
    mail["Subject"] = "[toy-1] Ход 2"
    mail.set_content(text)
    for name, data in logs:
        mail.add_attachment(data, maintype="application", subtype="jsonl", filename=name)
    return mail.as_bytes()


def mailbox(*mails: bytes) -> bytes:
    quoted = [mail.replace(b"\nFrom ", b"\n>From ") for mail in mails]
    return b"".join(b"From judge@mail.example Mon Jan  5 18:00:00 2026\n" + mail + b"\n" for mail in quoted)


def lines_in(data: bytes) -> int:
    return sum(len(source.lines) for source in read_source("x", data))


def pins_in(data: bytes) -> list[Pin]:
    return [pin for source in read_source("x", data) for _, pin in source.pins]


@pytest.mark.parametrize(
    "data",
    [
        LOG,
        LOG.rstrip(b"\n"),
        LOG.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + LOG,
        b"\n" + LOG.replace(b"\n", b"\n\n"),
        letter(("log-2.jsonl", LOG)),
        letter(("log-2.jsonl", LOG)).replace(b"\n", b"\r\n"),
        mailbox(letter(("log-2.jsonl", LOG))),
        mailbox(letter(), letter(("log-2.jsonl", LOG)), letter()),
    ],
    ids=["whole", "no-end", "crlf", "mark", "empty-lines", "mail", "mail-crlf", "mailbox", "mailbox-of-three"],
)
def test_log_is_found_whole_whatever_carries_it(data: bytes) -> None:
    report = verify(read_source("x", data), {"toy": TOY})

    assert lines_in(data) == len(LOG.splitlines())
    assert (report.replayed, report.campaign) == (True, CAMPAIGN)


def test_pins_are_found_in_a_pasted_report_and_in_mails() -> None:
    assert pins_in(TEXT.encode()) == [Pin(SEQ, HEAD, CAMPAIGN)]
    assert pins_in(f"Из отчёта: вот\n{TEXT}".encode()) == [Pin(SEQ, HEAD, CAMPAIGN)]
    assert pins_in(f"note: from the report\n{TEXT}".encode()) == [Pin(SEQ, HEAD, CAMPAIGN)]
    assert pins_in(letter()) == [Pin(SEQ, HEAD, CAMPAIGN)]
    assert pins_in(mailbox(letter(), letter())) == [Pin(SEQ, HEAD, CAMPAIGN)] * 2


def test_places_name_the_mail_and_the_line() -> None:
    data = mailbox(letter(), letter(("log-2.jsonl", b'{"seq":1}\n' + b"{\n")))

    places = [found.place for source in read_source("mbox", data) for found in source.lines]

    assert [(place.source, place.line) for place in places] == [("mbox#2/log-2.jsonl", 1), ("mbox#2/log-2.jsonl", 2)]


def test_logs_of_several_games_in_one_mailbox_are_told_apart() -> None:
    other = LOG.replace(CAMPAIGN.encode(), b"toy-2-00000000")
    early, late = LOG.splitlines(keepends=True)[:9], LOG.splitlines(keepends=True)[9:]
    later = letter(("log-3.jsonl", b"".join(late)))
    data = mailbox(letter(("log-2.jsonl", b"".join(early)), text="без пина"), letter(("log-1.jsonl", other)), later)

    sorted_out = by_campaign(read_source("mbox", data))

    assert sorted(sorted_out) == [CAMPAIGN, "toy-2-00000000"]
    assert verify(sorted_out[CAMPAIGN], {"toy": TOY}).replayed
    assert "seed" in {fault.kind for fault in verify(sorted_out["toy-2-00000000"]).faults}


def test_log_that_nothing_names_goes_to_the_only_campaign() -> None:
    lines = LOG.splitlines(keepends=True)
    first, second = b"".join(lines[:9]), b"".join(lines[9:])

    sorted_out = by_campaign([*read_source("b", second), *read_source("a", first)])

    assert sorted(sorted_out) == [CAMPAIGN]
    assert verify(sorted_out[CAMPAIGN], {"toy": TOY}).replayed


def test_file_too_large_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.fairplay.sources.LARGEST_SOURCE", 10)

    with pytest.raises(ValueError, match="11 bytes are too many"):
        read_source("x", b"{" * 11)


@settings(derandomize=True, max_examples=150, deadline=None)
@given(data=st.data())
def test_whatever_a_file_holds_it_is_read(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([mailbox(letter(("log-2.jsonl", LOG))), letter(("log-2.jsonl", LOG)), LOG, b""]))
    begin = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(begin, len(whole)))
    altered = whole[:begin] + data.draw(st.binary(max_size=20)) + whole[end:]

    verify(read_source("x", altered), {"toy": TOY})


def test_mail_of_three_thousand_parts_within_parts_hides_no_other() -> None:
    nested: Any = b"".join(
        b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (depth, depth) for depth in range(3000)
    )
    data = mailbox(b"Subject: x\n" + nested, letter(("log-2.jsonl", LOG)))

    assert lines_in(data) == len(LOG.splitlines())
