"""Mails of our own making, of every shape that arrives, each with its verdict."""

from __future__ import annotations

import base64
import quopri
from collections.abc import Iterator
from dataclasses import dataclass

from mail.read import Verdict
from tests.mail.mails import OLD, ORDERS, OURS, parts, raw_mail
from tests.mail.replies import more_replies

OWN_IDS = ("<pirates-12.5.3@games.example>",)
"""Message-IDs of mails we sent."""

_QUOTE = "\n".join(f"> {line}" for line in ("Отчёт — ход 4", *OLD.split("\n")))
_REPLY = f"{ORDERS}\n\nпн, 3 нояб. 2025 г. в 10:00, Судья <{OURS}>:\n\n{_QUOTE}\n"
_OUTLOOK = (
    f"{ORDERS}\n\n-----Исходное сообщение-----\nОт: Судья\nОтправлено: 3 ноября\nКому: Игорь\nТема: Ход 5\n\n{OLD}"
)
_PAGE = (
    '<html><head><style>p.MsoNormal{margin:0}</style></head><body lang="RU"><p class="MsoNormal">пират 1: A5 - B6</p>'
    '<p class="MsoNormal">пират 2: копать C4<o:p></o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt">'
    "<p><b>От:</b> Судья<br><b>Отправлено:</b> 3 ноября</p></div><p>пират 1: A1 - A2</p></body></html>"
)
_GMAIL = (
    '<div dir="ltr">пират 1: A5 - B6<div>пират 2: копать C4</div></div><br><div class="gmail_quote"><div dir="ltr" '
    'class="gmail_attr">пн, 3 нояб. 2025 г. в 10:00, Судья &lt;judge@games.example&gt;:<br></div><blockquote '
    'class="gmail_quote">пират 1: A1 - A2<br>пират 3: стоять</blockquote></div>'
)
_WAY = (
    ("Return-Path", "<igor@example.ru>"),
    ("Delivered-To", "judge+g12.TOKEN@games.example"),
    (
        "Received",
        "from mx.example.ru (mx.example.ru [192.0.2.7])\r\n\tby mx.games.example with ESMTPS id 4Cx;\r\n\tMon, 3 Nov",
    ),
    ("Authentication-Results", "mx.games.example; dkim=pass header.i=@example.ru; spf=pass; dmarc=pass (p=none)"),
    (
        "DKIM-Signature",
        "v=1; a=rsa-sha256; d=example.ru; s=mail; h=from:to;\r\n bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NM=; b=AAAA",
    ),
    ("In-Reply-To", "<pirates-12.5.3@games.example>"),
    ("References", "<pirates-12.4.3@games.example>\r\n <pirates-12.5.3@games.example>"),
)


@dataclass(frozen=True, slots=True)
class Sample:
    """A mail, its name, and what it has to be taken for."""

    name: str
    verdict: Verdict
    raw: bytes


def samples() -> tuple[Sample, ...]:
    """Give the whole corpus, in a stated order."""
    found = [Sample(name, Verdict.HUMAN, raw) for name, raw in (*_people(), *_programs(), *_damaged())]
    found += [Sample(name, Verdict.AUTOMATIC, raw) for name, raw in _robots()]
    found += [Sample(name, Verdict.BOUNCE, raw) for name, raw in _failures()]
    found.append(Sample("ourselves", Verdict.OURS, raw_mail(ORDERS, sender=OURS)))
    found.append(Sample("nothing", Verdict.EMPTY, raw_mail("")))
    found.append(Sample("only a quote", Verdict.EMPTY, raw_mail(_QUOTE)))
    return tuple(found)


def _coded(text: str, charset: str, coding: str) -> bytes:
    data = text.replace("\n", "\r\n").encode(charset, "replace")
    return {"8bit": bytes, "quoted-printable": quopri.encodestring, "base64": base64.encodebytes}[coding](data)


def _text(text: str, charset: str = "utf-8", coding: str = "base64", kind: str = "text/plain") -> tuple[str, bytes]:
    head = f"Content-Type: {kind}; charset={charset}\nContent-Transfer-Encoding: {coding}"
    return head, _coded(text, charset, coding)


def _many(kind: str, *bodies: tuple[str, bytes], headers: tuple[tuple[str, str], ...] = _WAY) -> bytes:
    return raw_mail(parts("=_outer", *bodies), *headers, kind=f'{kind}; boundary="=_outer"')


def _people() -> Iterator[tuple[str, bytes]]:
    for charset in ("utf-8", "koi8-r", "windows-1251", "iso-8859-5"):
        for coding in ("8bit", "quoted-printable", "base64"):
            body = _coded(_REPLY, charset, coding)
            head = (("Content-Transfer-Encoding", coding), *_WAY)
            yield f"{charset} {coding}", raw_mail(body, *head, kind=f"text/plain; charset={charset}")
    yield "outlook", raw_mail(_OUTLOOK, *_WAY)
    yield (
        "flowed",
        raw_mail(_REPLY.replace(" - ", " \n- "), *_WAY, kind="text/plain; charset=utf-8; format=flowed; delsp=yes"),
    )
    yield "page of outlook", raw_mail(_PAGE, *_WAY, kind="text/html; charset=utf-8")
    twins = parts("=_in", _text(_REPLY), _text(_GMAIL, kind="text/html"))
    yield "twins", raw_mail(twins, *_WAY, kind='multipart/alternative; boundary="=_in"')
    inner = ('Content-Type: multipart/alternative; boundary="=_in"', twins)
    picture = (
        "Content-Type: image/png; name=map.png\nContent-Transfer-Encoding: base64",
        base64.encodebytes(b"\x89PNG" * 900),
    )
    yield "twins and a picture", _many("multipart/mixed", inner, picture)
    related = parts("=_rel", _text(_GMAIL, kind="text/html"), picture)
    yield (
        "related",
        _many("multipart/alternative", _text(" "), ('Content-Type: multipart/related; boundary="=_rel"', related)),
    )
    yield (
        "signed",
        _many(
            "multipart/signed",
            _text(_REPLY, coding="quoted-printable"),
            ("Content-Type: application/pgp-signature", b"x"),
        ),
    )
    head = (
        "Content-Type: text/plain; charset=koi8-r; name*=utf-8''%D1%85%D0%BE%D0%B4.txt\nContent-Disposition: attachment"
    )
    yield (
        "orders in a file",
        _many("multipart/mixed", ("Content-Type: text/plain", b"\r\n"), (head, ORDERS.encode("koi8-r"))),
    )
    letter = ("Content-Type: message/rfc822", raw_mail(OLD, subject="old"))
    yield "a letter enclosed", _many("multipart/mixed", _text(ORDERS), letter)
    yield (
        "an eager list of people",
        raw_mail(_REPLY, ("Cc", ", ".join(f"Имя {n} <n{n}@example.ru>" for n in range(60))), *_WAY),
    )
    yield (
        "names coded",
        raw_mail(
            ORDERS, *_WAY, sender="=?koi8-r?B?6cfP0tg=?= <igor@example.ru>", subject="=?utf-8?Q?=D0=A5=D0=BE=D0=B4?= 5"
        ),
    )
    yield (
        "exchange",
        raw_mail(_OUTLOOK, ("X-Auto-Response-Suppress", "DR, OOF, AutoReply"), ("Message-ID", "<[x]@[y].OUTLOOK.COM>")),
    )


def _programs() -> Iterator[tuple[str, bytes]]:
    """Give the answers of many programs, every other one as a page."""
    known = [reply for reply in more_replies() if reply.own and not reply.forwarded and not reply.sent]
    for number, reply in enumerate(known):
        if reply.html_only or (number % 2 and not reply.plain):
            yield f"{reply.id} page", raw_mail(reply.as_html, *_WAY, kind="text/html; charset=utf-8")
        else:
            yield f"{reply.id} text", raw_mail(reply.as_text, *_WAY)


def _damaged() -> Iterator[tuple[str, bytes]]:
    whole = parts("b", _text(_REPLY), _text(_GMAIL, kind="text/html"))
    yield "boundary missing", raw_mail(whole, kind="multipart/alternative")
    yield "boundary wrong", raw_mail(whole, kind="multipart/alternative; boundary=c")
    yield "end missing", raw_mail(whole[:-7], kind="multipart/alternative; boundary=b")
    yield (
        "padding missing",
        raw_mail(_coded(_REPLY, "utf-8", "base64").rstrip(b"=\n"), ("Content-Transfer-Encoding", "base64")),
    )
    yield (
        "soft breaks lost",
        raw_mail(
            _coded(_REPLY, "utf-8", "quoted-printable").replace(b"=\n", b"\n"),
            ("Content-Transfer-Encoding", "quoted-printable"),
        ),
    )
    yield "encoding unlabelled", raw_mail(_coded(_REPLY, "koi8-r", "base64"), kind="text/plain; charset=koi8-r")
    yield "label nobody knows", raw_mail(ORDERS, kind="text/plain; charset=x-nope", charset="koi8-r")
    yield "double encoding", raw_mail(_REPLY.encode().decode("cp1251", "replace"))
    yield "raw headers", raw_mail(_REPLY).replace(b"Subject: ", "Subject: приказы ".encode("cp1251"))
    yield "stray line", raw_mail(_REPLY).replace(b"MIME-Version", b"stray words\r\nMIME-Version")
    yield "hardly any header", b"From: igor@example.ru\n\n" + ORDERS.encode("koi8-r")
    yield "bare carriage returns", raw_mail(ORDERS).replace(b"\r\n", b"\r")


def _robots() -> Iterator[tuple[str, bytes]]:
    for name, value in (
        ("Auto-Submitted", "auto-replied (vacation)"),
        ("Precedence", "bulk"),
        ("List-Id", "<news.example.ru>"),
        ("X-Autoreply", "yes"),
        ("X-Apple-Action", "VACATION"),
        ("Return-Path", "<>"),
    ):
        yield name, raw_mail(f"Меня нет до понедельника.\n\n{_QUOTE}", (name, value), subject="Автоответ: Ход 5")
    yield (
        "receipt of reading",
        _many(
            "multipart/report; report-type=disposition-notification",
            _text("Прочитано"),
            (
                "Content-Type: message/disposition-notification",
                b"Disposition: manual-action/MDN-sent-manually; displayed\r\n",
            ),
            headers=(),
        ),
    )


def _failures() -> Iterator[tuple[str, bytes]]:
    for action, status in (("failed", "5.1.1"), ("delayed", "4.4.1")):
        report = (
            "Content-Type: message/delivery-status",
            f"Reporting-MTA: dns; mx.example.ru\r\n\r\nFinal-Recipient: rfc822; igor@example.ru\r\nAction: {action}\r\n"
            f"Status: {status}\r\n".encode(),
        )
        returned = ("Content-Type: message/rfc822", raw_mail("Отчёт", ("X-Game-Outbox-Id", "77"), sender=OURS))
        yield (
            action,
            _many(
                "multipart/report; report-type=delivery-status",
                _text("Не удалось доставить письмо"),
                report,
                returned,
                headers=(("Auto-Submitted", "auto-replied"),),
            ),
        )
    yield (
        "in plain words",
        raw_mail(
            f"Ваше сообщение не доставлено: пользователь не найден.\n\nigor@example.ru\n\n{_REPLY}",
            ("X-Failed-Recipients", "igor@example.ru"),
            sender="Mailer-Daemon <mailer-daemon@example.ru>",
            subject="Недоставленное сообщение",
        ),
    )
