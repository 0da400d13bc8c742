"""From ``create`` to the first turn: genesis, invitations, joining, lot for seats (play-by-mail 0, fair-play 3.0)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec
from sqlmodel import col, func, select

from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import chain, events, lots, record
from adjudicator.services import (
    beacons,
    households,
    invitations,
    leaving,
    logbook,
    people,
    positions,
    reports,
    schedule,
    seeds,
    turns,
    unwanted,
)
from adjudicator.services.header import Header
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, Invitation, Player, Seat, Tenure
from engine.core import codec, registry
from engine.core.contract import Options, Resolution
from engine.core.dice import MAIN, BatchDice
from mail.addresses import canonical


def _holds_the_machine(work: Work, moderator: Player | None) -> bool:
    """Say whether an operator moderates: he could know the dice of phrases before he rules (fair-play 4, T7)."""
    return moderator is None or people.operates(work, people.addresses(work, moderator.id or 0))


def next_tag(work: Work, ruleset: str) -> str:
    """Return the next free tag of a ruleset: ``pirates-7``; one whose name is two words has ``set-sail-1``."""
    stem = ruleset.replace("_", "-")
    number = work.session.exec(select(func.count()).select_from(Game).where(Game.ruleset == ruleset)).one() + 1
    while work.session.exec(select(Game).where(Game.tag == f"{stem}-{number}")).first():
        number += 1
    return f"{stem}-{number}"


def options_of(ruleset: str, edition: str, changes: Mapping[str, Any]) -> Options:
    """Return the options of an edition with some switches changed. Raises `RefusedByRules` that names the switch."""
    info = registry.ruleset(ruleset).info
    if edition not in info.editions:
        raise RefusedByRules("unknown-edition", edition=edition, editions=sorted(info.editions))
    base = record.options_object(info.editions[edition])
    unknown = sorted(set(changes) - set(base))
    if unknown:
        raise RefusedByRules("unknown-option", option=unknown[0], options=sorted(base))
    try:
        options: Options = codec.from_plain({**base, **changes}, info.options)
    except msgspec.ValidationError as cause:
        raise RefusedByRules("bad-option", cause=str(cause)) from cause
    return options


def create(
    work: Work,
    ruleset: str,
    players: int,
    *,
    edition: str = "",
    options: Mapping[str, Any] | None = None,
    header: Header | None = None,
    board: dict[str, Any] | None = None,
    tag: str = "",
    moderator: Player | None = None,
    source: seeds.Source = secrets.token_bytes,
) -> Game:
    """Make a game with its seeds and the genesis of its log; nothing random happens yet.

    ``moderator`` runs it by mail; without one the operator does, from the command line (play-by-mail 6). ``source`` is
    where its secrets come from: another than the system's own serves a game on show alone. Where the rules want a
    moderator and he is an operator too, the dice are by beacon.

    Raises `RefusedByRules` for a number of players, edition, option or schedule that cannot be.
    """
    rules = registry.ruleset(ruleset)
    edition = edition or next(iter(rules.info.editions))
    chosen = options_of(ruleset, edition, options or {})
    header = header or Header()
    if rules.info.open_orders == "end":
        header = msgspec.structs.replace(header, open_orders="end")
    if rules.info.moderated and _holds_the_machine(work, moderator):
        header = msgspec.structs.replace(header, dice="beacon")
    _check_header(header)
    try:
        places = rules.seats(chosen, players)
    except ValueError as cause:
        raise RefusedByRules("bad-players", players=players, seats=list(rules.info.seats)) from cause
    tag = tag or next_tag(work, ruleset)
    game = work.add(
        Game(
            tag=tag,
            campaign=f"{tag}-{source(4).hex()}",
            ruleset=ruleset,
            revision=rules.info.revision,
            edition=edition,
            options=codec.encode(record.options_object(chosen)),
            board=codec.encode(board) if board else "",
            header=codec.encode(header),
            players=players,
            created=work.now,
        )
    )
    for place, info in enumerate(places):
        work.add(
            Seat(game_id=game.id or 0, seat=info.id, side=info.side, titles=codec.encode(info.titles), place=place)
        )
    anchors = seeds.draw(work, game, (MAIN, *rules.info.streams), source)
    logbook.append(
        work,
        game,
        events.Genesis(
            seq=0,
            at=logbook.at(work.now),
            campaign=game.campaign,
            ruleset=ruleset,
            revision=game.revision,
            edition=edition,
            options=record.options_object(chosen),
            seats=tuple(info.id for info in places),
            anchors=anchors,
            n=chain.CHAIN_LENGTH,
            mode=header.dice,
            open_orders=header.open_orders,
            moderator=header.moderator,
            data=board,
        ),
    )
    if moderator is not None:
        people.appoint(work, game, moderator)
    return game


def _check_header(header: Header) -> None:
    if header.missed == "moderator" and header.moderator != "apart":
        raise RefusedByRules("missed-moderator", moderator=header.moderator)
    try:
        schedule.parse(header.schedule, header.zone)
    except schedule.ScheduleError as cause:
        raise RefusedByRules("bad-schedule", schedule=header.schedule, word=str(cause)) from cause
    if header.names == "hidden" and header.moderator == "plays":  # he sees who writes, who bounces, who is away
        raise RefusedByRules("hidden-plays")
    if header.press_read and header.moderator != "apart":  # nothing sealed is shown to one who plays (play-by-mail 6)
        raise RefusedByRules("press-read", moderator=header.moderator)


def options(game: Game) -> Options:
    """Return the options of a game."""
    found: Options = codec.decode(game.options, registry.ruleset(game.ruleset).info.options)
    return found


# Invitations ----------------------------------------------------------------------------------------------------------


def invite(
    work: Work,
    game: Game,
    address: str,
    *,
    name: str = "",
    language: str = "ru",
    seat: str = "",
    second: bool = False,
) -> Invitation:
    """Invite an address, once: a second time returns the first. ``second``: it may hold a second seat of this game.

    Raises `RefusedByRules` for a seat there is not, an address that wants no letters, a game that has started.
    """
    if game.status != "created":
        raise RefusedByRules("already-started", tag=game.tag)
    folded = canonical(address)
    places = [place.seat for place in people.seats(work, game)]
    if seat and seat not in places:
        raise RefusedByRules("unknown-seat", seat=seat, seats=places)
    known = select(Invitation).where(
        Invitation.game_id == game.id, Invitation.address == folded, col(Invitation.second).is_(second)
    )
    if (earlier := work.session.exec(known).first()) is not None:
        return earlier
    if unwanted.wants_none(work, folded):
        raise RefusedByRules("unwanted", address=folded)
    invitation = work.add(
        Invitation(
            game_id=game.id or 0,
            address=folded,
            name=name,
            language=language,
            seat=seat,
            created=work.now,
            second=second,
        )
    )
    count = select(func.count()).select_from(Invitation).where(Invitation.game_id == game.id)
    number = work.session.exec(count.where(col(Invitation.stranger).is_(False))).one()
    logbook.append(work, game, events.Invite(seq=0, at=logbook.at(work.now), number=number, seat=seat or None))
    invitations.write(work, game, invitation)
    return invitation


def join(
    work: Work,
    game: Game,
    invitation: Invitation,
    *,
    seat: str = "",
    phrase: str = "",
    automatic: str = "",
    arrival: datetime,
) -> Invitation:
    """Take a player in: his address is registered, his phrase kept for the first batch.

    He has the seat he asks for if nobody asked for it before him, else one by lot. Raises `RefusedByRules` once the
    game has started, for a seat there is not, and for a second seat at one address without the moderator's word.
    """
    if invitation.joined is not None:
        return invitation
    if game.status != "created":
        raise RefusedByRules("already-started", tag=game.tag)
    wish = seat or invitation.seat
    if wish and wish not in [place.seat for place in people.seats(work, game)]:
        raise RefusedByRules("unknown-seat", seat=wish, seats=[place.seat for place in people.seats(work, game)])
    before = joined(work, game)
    count = len(before)
    if count >= game.players:
        raise RefusedByRules("game-full", tag=game.tag)
    if not invitation.second and households.taken(work, game, invitation.address, but=invitation.id):
        raise RefusedByRules("same-address", tag=game.tag)
    if wish in [one.seat for one in before]:
        wish = ""
    player = people.register(
        work,
        invitation.address,
        name=invitation.name or invitation.address.partition("@")[0],
        language=invitation.language,
        zone=work.config.service.zone,
        another=invitation.second,
    )
    invitation.refused = None
    invitation.joined, invitation.player_id, invitation.join_id = arrival, player.id, f"p{count + 1}"
    invitation.seat = wish
    work.session.add(invitation)
    at = logbook.at(arrival)
    logbook.append(work, game, events.Join(seq=0, at=at, player=invitation.join_id, seat=wish or None))
    if phrase and seeds.keep_phrase(work, game, invitation.join_id, phrase, 1, automatic=False):
        part = events.PhrasePart(row=invitation.join_id, phrase=chain.normalised(phrase))
        logbook.append(work, game, events.Phrase(seq=0, at=at, turn=None, batch=1, private=""), private=part)
    elif automatic:
        seeds.keep_phrase(work, game, invitation.join_id, automatic, 1, automatic=True)
    return invitation


def joined(work: Work, game: Game) -> Sequence[Invitation]:
    """Return those who have joined, in the order of joining."""
    query = select(Invitation).where(Invitation.game_id == game.id, col(Invitation.joined).is_not(None))
    return sorted(work.session.exec(query), key=lambda one: int(one.join_id[1:]))


# Start ----------------------------------------------------------------------------------------------------------------


def start(work: Work, game: Game) -> None:
    """Lock the first batch over the joining phrases, draw seats, open turn 0 (fair-play 3.0).

    Where the dice come from the beacon nothing is drawn before its round is out: the game is ``starting`` until then.

    Raises `RefusedByRules` if seats are still free or the game has started.
    """
    if game.status != "created":
        raise RefusedByRules("already-started", tag=game.tag)
    players = joined(work, game)
    if len(players) != game.players:
        raise RefusedByRules("seats-free", joined=len(players), players=game.players)
    at = positions.table(game)
    streams = (MAIN, *at.ruleset.info.streams)
    spoken = seeds.spoken(work, game, 1)
    rows = {one.join_id: spoken.row(one.join_id) for one in players}
    number = beacons.round_for(game, work.now)
    lock = turns.append_lock(
        work,
        game,
        events.Lock(
            seq=0,
            at=logbook.at(work.now),
            turn=None,
            batch=1,
            streams=dict.fromkeys(streams, 1),
            rows=dict.fromkeys(streams, rows),
            phrases={row: spoken.phrases[row] for row in spoken.sent},
            round=number,
            decided=logbook.at(work.now) if number else None,
        ),
    )
    if number is not None:
        game.status = "starting"
        work.session.add(game)
        return
    _deal(work, game, lock.seq)


def start_all(house: House) -> int:
    """Start the games whose first round of the beacon is known by now; return how many."""
    with house.look() as work:
        query = select(Game.id).where(Game.status == "starting").order_by(col(Game.id))
        found = list(work.session.exec(query))
    return sum(_start_one(house, game_id) for game_id in found)


def _start_one(house: House, game_id: int | None) -> bool:
    with house.unit("start") as work:
        game = work.game_by_id(game_id)
        if game.status != "starting":
            return False
        lock = beacons.start_lock(work, game)
        if beacons.waits(work, game, lock):
            return False
        _deal(work, game, lock)
        return True


def _deal(work: Work, game: Game, lock: int) -> None:
    """Draw the seats and set the game up from the first batch, whose entropy is known, and open the first turn."""
    at, players = positions.table(game), joined(work, game)
    streams = (MAIN, *at.ruleset.info.streams)
    spoken = seeds.spoken(work, game, 1)
    rows = {one.join_id: spoken.row(one.join_id) for one in players}
    beacon = beacons.value(work, game, lock)
    documents = {stream: seeds.entropy(game, stream, 1, rows, beacon) for stream in streams}
    dice = BatchDice({stream: {1: seeds.key(work, game, stream, 1, documents[stream])} for stream in streams})
    places = [place.seat for place in people.seats(work, game)]
    seated = lots.allot({one.join_id: one.seat or None for one in players}, places, dice)
    resolution = at.ruleset.start(
        options(game), places, dice, data=codec.decode(game.board, dict[str, Any]) if game.board else None
    )
    _record_start(work, at, resolution, dice, documents[MAIN], seated)
    by_join = {one.join_id: one for one in players}
    for seat in places:
        work.add(
            Tenure(game_id=game.id or 0, seat=seat, player_id=by_join[seated[seat]].player_id or 0, since=work.now)
        )
    work.forget("tenures", game.id)
    host = people.moderator(work, game)
    if host is not None and at.header.moderator == "none":
        people.dismiss(work, game, host)
    game.status, game.started, game.next_batch = "running", work.now, 2
    work.session.add(game)
    first = 0 if at.ruleset.phase(resolution.state) == "set-up" else 1
    turns.open_turn(
        work, at, first, resolution.state, {}, _told(work, game, resolution.events, dice, spoken, beacon), first=True
    )
    for tenure in people.tenures(work, game):
        if people.player(work, tenure.player_id).forgotten is not None:  # he joined, and had himself forgotten since
            leaving.vacate(work, at, tenure, "resign")
    households.tell(work, game, households.shared(work, game), "start")


def _told(
    work: Work, game: Game, happened: Sequence[Any], dice: BatchDice, spoken: seeds.Spoken, beacon: str
) -> reports.Told:
    opened = ((MAIN, 1, seeds.seed(work, game, MAIN, 1).hex()),)
    return reports.Told(events=tuple(happened), dice=dice.throws, spoken=spoken, seeds=opened, beacon=beacon)


def _record_start(
    work: Work,
    at: positions.Table,
    resolution: Resolution,
    dice: BatchDice,
    document: bytes,
    seated: Mapping[str, str],
) -> None:
    game = at.game
    secrets_now = at.ruleset.secrets(resolution.state)
    still = [secret.name for secret in secrets_now if not secret.open]
    public, shown, parts = record.split_result(resolution.events, dice.throws, list(seated), still)
    logbook.append(
        work,
        game,
        events.Result(
            seq=0,
            at=logbook.at(work.now),
            turn=None,
            revision=game.revision,
            batches=(1,),
            seeds={MAIN: {"1": seeds.seed(work, game, MAIN, 1).hex()}},
            entropy={MAIN: {"1": sha256(document).hexdigest()}},
            dice=tuple((*throw,) for throw in shown),
            events=public,
            seats=dict(seated),
        ),
        parts=parts,
        audience={secret.name: secret.audience for secret in secrets_now},
    )
