"""Who is speaking, to which game, for which seat; nothing in a mail but proof grants identity (play-by-mail 4)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import structs
from sqlmodel import select

from adjudicator.services import outbox, people, tokens
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation, Letter, Mail, Observer, Player, Tenure
from engine.core import codec
from engine.core.contract import Value
from mail.addresses import canonical, same_address, split_plus
from mail.read import MailReading
from mail.sender import same_secret

_TAG: Final = re.compile(r"\[([a-z0-9-]{1,32})\]", re.IGNORECASE)

_TO_THE_INVITED: Final = ("invitation", "join-confirm", "welcome", "join-refused")
"""Letters whose key names an invitation after the game: their thread counts as its token."""

Carrier = Literal["plus", "thread", "text"]

Doubt = Literal[
    "no-address", "unknown-sender", "auth-fail", "unproven", "foreign-token", "damaged", "robot", "forwarded"
]


class Grounds(Value, frozen=True):
    """What was found for and against a mail's sender: kept with its verdict, shown to who looks into it; no secrets.

    ``carrier`` is where a valid token was found (``plus``, ``thread``, ``text``) and ``token`` whose it is; ``result``,
    ``why``, ``by`` and ``signer`` are the mailbox provider's word as `mail.authentication` read it; ``addressed`` says
    whether the mail names us among its readers, ``source`` whether its mailbox is trusted. ``confirmed`` is who let a
    held mail count later: its writer, or who runs the game.
    """

    carrier: Literal["", "plus", "thread", "text"] = ""
    token: Literal["", "own", "another's", "invitation"] = ""
    result: Literal["pass", "fail", "none"] = "none"
    why: str = ""
    by: str = ""
    signer: str = ""
    addressed: bool = True
    source: bool = False
    confirmed: Literal["", "writer", "moderator"] = ""


NOTHING: Final = Grounds()


@dataclass(frozen=True, slots=True)
class Speaker:
    """What a mail's proof comes to.

    ``doubt`` says why it may change nothing, "" if it may; ``tenures`` are the seats it may speak for, the first one
    where there is no choice; ``invitation`` is one that it answers. ``shown`` is the seat whose valid token a mail from
    an unknown address shows: its holder may say whether it was he.
    """

    address: str
    doubt: Doubt | Literal[""]
    proof: Literal["", "token", "authentication", "trusted source"] = ""
    players: Sequence[Player] = ()
    game: Game | None = None
    tenures: Sequence[Tenure] = ()
    invitation: Invitation | None = None
    answered: Letter | None = None
    vouched: bool = False
    """Whether the mailbox provider or a trusted source vouches for the address, whatever tokens the mail shows."""
    grounds: Grounds = NOTHING
    shown: Tenure | None = None


def grounds_of(row: Mail) -> Grounds | None:
    """Return what was found for and against a mail's sender, None if that is not kept (any more)."""
    if not row.grounds:
        return None
    found: Grounds = codec.decode(row.grounds, Grounds)
    return found


def keep_confirmation(work: Work, row: Mail, by: Literal["writer", "moderator"]) -> None:
    """Keep who let a held mail count."""
    row.grounds = codec.encode(structs.replace(grounds_of(row) or NOTHING, confirmed=by))
    work.session.add(row)


def look_up(work: Work, readings: Sequence[MailReading]) -> None:
    """Find whose addresses these mails come from and which letters of ours they answer, all at once."""
    addresses = [one.incoming.from_address for one in readings if one.incoming.from_address]
    people.look_up_holders(work, addresses)
    outbox.look_up_recent(work, map(canonical, addresses))
    outbox.look_up(work, [name for one in readings for name in (*one.incoming.in_reply_to, *one.incoming.references)])


def speaker(work: Work, reading: MailReading, *, trusted: bool, about: Game | None = None) -> Speaker:
    """Return who speaks in a mail and for which seat, with the reason if he may not.

    ``about`` is the game that a part of the mail names: then only what proves something for that game counts.
    """
    address = reading.incoming.from_address
    answered = _answered(work, reading)
    if not address:
        return Speaker("", "no-address", answered=answered, grounds=_grounds(work, reading, trusted=trusted))
    players = people.holders_of(work, address)
    claims = [one for one in _claims(work, reading) if about is None or one[0].game_id == about.id]
    invitation = next((one for one, _ in claims if isinstance(one, Invitation)), None)
    if invitation is not None and not same_address(invitation.address, address):
        invitation = None
    own = [person.id for person in players]
    shown = [one for one, _ in claims if isinstance(one, Tenure)]
    # Threads and quotes may carry other people's letters along: what counts is whether one's own token is there.
    tenure = next((one for one in shown if one.player_id in own), next(iter(shown), None))
    foreign = tenure is not None and tenure.player_id not in own
    proven_by_token = (tenure is not None and not foreign) or invitation is not None
    registered = bool(players) or invitation is not None
    grounds = _grounds(work, reading, trusted=trusted)
    counted = tenure or invitation
    if counted is not None:
        carrier = next(where for one, where in claims if one is counted)
        whose: Literal["another's", "own", "invitation"] = "another's" if foreign else "own" if tenure else "invitation"
        grounds = structs.replace(grounds, carrier=carrier, token=whose)
    vouched = trusted or (grounds.result == "pass" and grounds.addressed)
    doubt = _doubt(reading, registered=registered, by_token=proven_by_token, foreign=foreign, vouched=vouched)
    game, tenures = _place(work, reading, players, tenure if not foreign else None, invitation, answered, about)
    if tenure is not None and not registered:
        game = _game(work, tenure.game_id)
    return Speaker(
        address=address,
        doubt=doubt,
        proof="" if doubt else "token" if proven_by_token else "trusted source" if trusted else "authentication",
        players=players,
        game=game,
        tenures=tenures,
        invitation=invitation,
        answered=answered,
        vouched=vouched,
        grounds=grounds,
        shown=tenure if foreign and not registered else None,
    )


def _grounds(work: Work, reading: MailReading, *, trusted: bool) -> Grounds:
    said = reading.authentication
    return Grounds(
        result=said.result,
        why=said.why,
        by=said.by,
        signer=said.signer,
        addressed=_addressed(work, reading),
        source=trusted,
    )


def _addressed(work: Work, reading: MailReading) -> bool:
    """Say whether a mail names us among its readers.

    A mail that somebody wrote to another and that was sent on to us bears his signature still: his provider vouches
    that he wrote it, not that he wrote it to us.
    """
    own = {canonical(work.config.service.address), *(canonical(box.user) for box in work.config.imap)}
    readers = (*reading.incoming.to, *reading.incoming.cc)
    return any(canonical(split_plus(address)[0]) in own for address in readers)


def _doubt(
    reading: MailReading, *, registered: bool, by_token: bool, foreign: bool, vouched: bool
) -> Doubt | Literal[""]:
    if "weak-automatic" in reading.held:  # before all others: of these some are answered
        return "robot"
    if not registered:
        return "unknown-sender"
    if reading.authentication.result == "fail":
        return "auth-fail"
    if foreign:
        return "foreign-token"
    if not (by_token or vouched):
        return "unproven"
    if reading.incoming.silent_execution_forbidden:
        return "damaged"
    if _forwards(reading):
        return "forwarded"
    return ""


def reconsidered(who: Speaker, reading: MailReading) -> Speaker:
    """Return a speaker as he stands once his own words are parted from quotes: a forward without a word is doubted."""
    return dataclasses.replace(who, doubt="forwarded", proof="") if not who.doubt and _forwards(reading) else who


def _forwards(reading: MailReading) -> bool:
    return "forwarded" in reading.held


def seat_shown(work: Work, reading: MailReading) -> Tenure | None:
    """Return the seat whose valid token a mail shows, whoever sent it; that alone lets nobody speak for it."""
    return next((one for one, _ in _claims(work, reading) if isinstance(one, Tenure)), None)


def _claims(work: Work, reading: MailReading) -> Iterator[tuple[Tenure | Invitation, Carrier]]:
    """Yield the tenures and invitations whose valid tokens a mail shows, with the carrier, in order of carrier."""
    for carried in reading.tokens:
        found = _of_letter(work, carried.value) if carried.carrier == "thread" else _of_carrier(work, carried.value)
        if found is not None:
            yield found, carried.carrier
    for value in tokens.found_in(line.raw for line in reading.incoming.lines):
        found = _of_carrier(work, value)
        if found is not None:
            yield found, "text"


def _of_carrier(work: Work, value: str) -> Tenure | Invitation | None:
    claim = tokens.read(value)
    if claim is None:
        return None
    game = _tagged(work, claim.tag)
    if game is None or claim.kind == "o":
        return None
    if claim.kind == "i":
        invitation = work.session.get(Invitation, claim.number)
        if invitation is None or invitation.game_id != game.id:
            return None
        return invitation if same_secret(tokens.of_invitation(work.vault, game, invitation), value.casefold()) else None
    people.tenures(work, game)  # reads all of them at once, if there is more than this one mail for the game
    tenure = work.session.get(Tenure, claim.number)
    if tenure is None or tenure.game_id != game.id or tenure.until is not None:
        return None
    return tenure if same_secret(tokens.of_tenure(work.vault, game, tenure), value.casefold()) else None


def _of_letter(work: Work, message_id: str) -> Tenure | Invitation | None:
    """Return whose token a Message-ID of ours counts as: its letter's seat, if tenure and token are still the same."""
    letter = outbox.letter(work, message_id)
    if letter is None or letter.game_id is None:
        return None
    if letter.kind in _TO_THE_INVITED:
        return work.session.get(Invitation, int(letter.key.split("/")[2]))
    tenure = work.session.get(Tenure, letter.tenure_id) if letter.tenure_id else None
    return tenure if tenure is not None and tenure.until is None and tenure.key_version == letter.key_version else None


def observer(work: Work, reading: MailReading) -> Observer | None:
    """Return the observer whose valid token a mail from his address shows."""
    for carried in reading.tokens:
        claim = tokens.read(carried.value)
        found = work.session.get(Observer, claim.number) if claim is not None and claim.kind == "o" else None
        if found is None or not same_address(found.address, reading.incoming.from_address):
            continue
        game = work.session.get_one(Game, found.game_id)
        if same_secret(tokens.of_observer(work.vault, game, found), carried.value.casefold()):
            return found
    return None


def _answered(work: Work, reading: MailReading) -> Letter | None:
    """Return the letter of ours that a mail answers."""
    for message_id in (*reading.incoming.in_reply_to, *reversed(reading.incoming.references)):
        letter = outbox.letter(work, message_id)
        if letter is not None:
            return letter
    return None


def _place(
    work: Work,
    reading: MailReading,
    players: Sequence[Player],
    tenure: Tenure | None,
    invitation: Invitation | None,
    answered: Letter | None,
    about: Game | None,
) -> tuple[Game | None, Sequence[Tenure]]:
    """Return the game a mail is for and the seats it may speak for: token, thread, subject tag, the only game."""
    if tenure is not None:
        return _game(work, tenure.game_id), [tenure]
    if invitation is not None and invitation.player_id is None:
        return _game(work, invitation.game_id), []
    held = [pair for person in players for pair in people.tenures_of(work, person)]
    if about is not None:
        return about, [tenure for tenure, game in held if game.id == about.id]
    wanted = answered.game_id if answered is not None and answered.game_id else _named(work, reading.incoming.subject)
    if wanted is None and invitation is not None:
        wanted = invitation.game_id
    games = list(dict.fromkeys(game.id for _, game in held))
    if wanted is None and len(games) == 1:
        wanted = games[0]
    if wanted is None:
        return None, []
    return _game(work, wanted), [tenure for tenure, game in held if game.id == wanted]


def _named(work: Work, subject: str) -> int | None:
    for tag in _TAG.findall(subject):
        game = _tagged(work, tag.lower())
        if game is not None:
            return game.id
    return None


def _tagged(work: Work, tag: str) -> Game | None:
    return work.once(("tag", tag), lambda: work.session.exec(select(Game).where(Game.tag == tag)).first())


def _game(work: Work, game_id: int) -> Game | None:
    return work.once(("seen", game_id), lambda: work.session.get(Game, game_id))
