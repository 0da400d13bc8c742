"""A letter's value to the bytes that are sent: rendered, put together, hashed. Pure, and fit for a worker process."""

from __future__ import annotations

from hashlib import sha256

from adjudicator.letters import Receipt, Rendered, Report
from adjudicator.services import forum
from adjudicator.services.outbox import Job
from adjudicator.services.render import render
from mail.addresses import Mailbox
from mail.compose import Letter, Part, compose, thread

LOG_TYPE = "application/x-ndjson"


def make(job: Job) -> tuple[bytes, str, str]:
    """Return the bytes of a letter, its text part, and the hash of the bytes. The same job gives the same bytes."""
    value = job.envelope.value
    rendered = render(value)
    if isinstance(value, Report):
        rendered = forum.with_editions(value, rendered)
    files = [Part(name, kind, data) for name, kind, data in rendered.files]
    if job.log_file:
        files.append(Part(job.log_name, LOG_TYPE, job.log_file))
    if job.data_file:
        files.append(Part(job.data_name, "application/zip", job.data_file))
    parents = tuple(name for name in (job.thread,) if name and name != job.message_id)
    references = thread(parents, job.in_reply_to) if job.in_reply_to else parents
    reader = value.reader
    domain = job.from_address.rpartition("@")[2]
    letter = Letter(
        sender=Mailbox(job.from_name, job.from_address),
        to=Mailbox(reader.name, job.to),
        subject=rendered.subject,
        date=job.date,
        message_id=job.message_id,
        text=rendered.text,
        html=_html(rendered, domain),
        reply_to=Mailbox(job.from_name, reader.reply_to) if reader.reply_to else None,
        in_reply_to=job.in_reply_to or next(iter(parents), ""),
        references=references,
        auto_submitted="auto-replied" if isinstance(value, Receipt) or job.in_reply_to else "auto-generated",
        list_id=job.list_id,
        unsubscribe=(f"mailto:{reader.reply_to or job.from_address}?subject=unsubscribe",),
        language=reader.language,
        images=tuple(Part(f"{cid}.png", "image/png", data, f"{cid}@{domain}") for cid, data in rendered.images),
        attachments=tuple(files),
        headers=(("X-Game-Outbox-Id", job.outbox_id),),
    )
    raw = compose(letter)
    return raw, rendered.text, sha256(raw).hexdigest()


def _html(rendered: Rendered, domain: str) -> str:
    """Return the HTML part with its pictures named as Content-IDs must be, with a domain (RFC 2392)."""
    html = rendered.html
    for cid, _ in rendered.images:
        html = html.replace(f'"cid:{cid}"', f'"cid:{cid}@{domain}"')
    return html
