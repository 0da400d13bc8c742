"""All that is kept of a person, as one file that he can read (play-by-mail 8)."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any, Final

from sqlmodel import col, or_, select

from adjudicator.clock import iso
from adjudicator.services.work import Work
from adjudicator.storage.tables import (
    Absence,
    Address,
    Dispute,
    Game,
    Invitation,
    Letter,
    Mail,
    Observer,
    Player,
    Press,
    Reading,
    Tenure,
)

LIMIT: Final = 15 * 1024 * 1024
"""Bytes of mails that are put in, newest first: what is beyond is listed, so that the letter can still be sent."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def file_for(work: Work, player_id: int) -> bytes:
    """Return a ZIP archive: ``about.json``, and every mail from and to him that is still kept."""
    raw: dict[str, bytes] = {}
    size = left_out = 0
    for name, data in _mails(work, player_id):
        size += len(data)
        if size <= LIMIT:
            raw[name] = data
        else:
            left_out += 1
    about = {**_about(work, player_id), "mails_left_out": left_out}
    text = json.dumps(about, ensure_ascii=False, indent=2, sort_keys=True)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {"about.json": text.encode(), **raw}.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def addresses(work: Work, player_id: int) -> list[str]:
    """Return the registered addresses of a person."""
    query = select(Address.address).where(Address.player_id == player_id).order_by(col(Address.id))
    return list(work.session.exec(query))


def mails_from(work: Work, player_id: int) -> list[Mail]:
    """Return a person's mails, newest first: those from his addresses, and those that spoke for his seats."""
    own = select(Reading.mail_id).join(
        Tenure, (col(Tenure.game_id) == col(Reading.game_id)) & (col(Tenure.seat) == col(Reading.seat))
    )
    spoke = own.where(
        Tenure.player_id == player_id,
        col(Reading.arrival) >= col(Tenure.since),
        or_(col(Tenure.until).is_(None), col(Reading.arrival) <= col(Tenure.until)),
    )
    from_him = col(Mail.sender).in_(addresses(work, player_id))
    query = select(Mail).where(or_(from_him, col(Mail.id).in_(spoke))).order_by(col(Mail.id).desc())
    return list(work.session.exec(query))


def letters_to(work: Work, player_id: int) -> list[Letter]:
    """Return the letters that went to a person, newest first."""
    held = select(Tenure.id).where(Tenure.player_id == player_id)
    query = select(Letter).where(
        or_(col(Letter.tenure_id).in_(held), col(Letter.address).in_(addresses(work, player_id)))
    )
    return list(work.session.exec(query.order_by(col(Letter.id).desc())))


def _mails(work: Work, player_id: int) -> Iterator[tuple[str, bytes]]:
    for mail in mails_from(work, player_id):
        if mail.raw is not None:
            yield f"from-you/{mail.id:06}.eml", work.vault.open(mail.raw)
    for letter in letters_to(work, player_id):
        if letter.raw is not None:
            yield f"to-you/{letter.id:06}.eml", work.vault.open(letter.raw)


def _about(work: Work, player_id: int) -> dict[str, Any]:
    player = work.session.get_one(Player, player_id)
    own = addresses(work, player_id)
    return {
        "name": player.name,
        "language": player.language,
        "zone": player.zone,
        "since": iso(player.created),
        "addresses": own,
        "seats": _seats(work, player_id),
        "invitations": [_tag(work, row.game_id) for row in _rows(work, Invitation, Invitation.address, own)],
        "watching": [_tag(work, row.game_id) for row in _rows(work, Observer, Observer.address, own)],
        "mails": [_mail(mail) for mail in mails_from(work, player_id)],
        "letters": [
            {"kind": letter.kind, "written": iso(letter.created), "sha256": letter.sha256}
            for letter in letters_to(work, player_id)
        ],
    }


def _rows(work: Work, table: Any, column: Any, values: list[str]) -> list[Any]:
    return list(work.session.exec(select(table).where(col(column).in_(values)).order_by(col(table.id))))


def _tag(work: Work, game_id: int) -> str:
    return work.session.get_one(Game, game_id).tag


def _mail(mail: Mail) -> dict[str, Any]:
    return {
        "arrival": iso(mail.arrival),
        "from": mail.sender,
        "subject": mail.subject,
        "verdict": mail.verdict,
        "sha256": mail.sha256,
        "kept_whole": mail.raw is not None,
    }


def _seats(work: Work, player_id: int) -> list[dict[str, Any]]:
    query = select(Tenure).where(Tenure.player_id == player_id).order_by(col(Tenure.id))
    return [_seat(work, tenure) for tenure in work.session.exec(query)]


def _seat(work: Work, tenure: Tenure) -> dict[str, Any]:
    def of_seat(table: Any) -> list[Any]:
        query = select(table).where(table.game_id == tenure.game_id, table.seat == tenure.seat)
        return list(work.session.exec(query.order_by(col(table.id))))

    return {
        "game": _tag(work, tenure.game_id),
        "seat": tenure.seat,
        "since": iso(tenure.since),
        "until": iso(tenure.until) if tenure.until else None,
        "farewell": work.vault.open(tenure.farewell).decode() if tenure.farewell else "",
        "press": [
            {"to": row.recipients, "text": work.vault.open(row.text).decode() if row.text else ""}
            for row in of_seat(Press)
        ],
        "absences": [
            {"first": row.first.isoformat(), "last": row.last.isoformat(), "waits": row.waits}
            for row in of_seat(Absence)
            if row.tenure_id == tenure.id
        ],
        "disputes": [{"turn": row.turn, "status": row.status} for row in of_seat(Dispute)],
    }
