"""Where a throwaway server lives: its folder, its ports, its certificate, the account it runs under."""

from __future__ import annotations

import ipaddress
import os
import pwd
import shutil
import socket
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "127.0.0.1"


class ServerMissing(Exception):
    """A program the tests need is not installed; the message says which and how to get it."""


def program(*candidates: str, package: str) -> str:
    """Return the path of the first candidate that is there, or raise ServerMissing."""
    for candidate in candidates:
        if path := shutil.which(candidate):
            return path
    raise ServerMissing(f"{candidates[0]} is not installed (Debian package {package})")


def new_folder(name: str, *, keep_open: ExitStack) -> Path:
    """Make a folder that goes with `keep_open`; others may enter it, as a server gives up root before it works."""
    folder = Path(tempfile.mkdtemp(prefix=f"adjudicator-{name}-"))
    keep_open.callback(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)
    return folder


def reserve_port(*, keep_open: ExitStack) -> int:
    """Choose a free port of 127.0.0.1 that nobody else gets as long as `keep_open` is open.

    A socket that is bound and never listens holds it: a server with SO_REUSEADDR (all of ours) may still listen there,
    but no other bind(0) and no outgoing connection takes it, not even while the server is down in an outage test.
    """
    holder = keep_open.enter_context(socket.socket())
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind((HOST, 0))
    return int(holder.getsockname()[1])


@dataclass(frozen=True, slots=True)
class Certificate:
    """A self-signed certificate for localhost and 127.0.0.1; `chain` is also the CA file for clients."""

    chain: Path
    key: Path


def new_certificate(folder: Path) -> Certificate:
    """Write a certificate, valid at any time a test may travel to, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address(HOST))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2000, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    made = Certificate(folder / "tls.crt", folder / "tls.key")
    made.chain.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    made.key.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return made


def own_account() -> pwd.struct_passwd:
    """Return the account the tests run under."""
    return pwd.getpwuid(os.geteuid())


def account(name: str, *, package: str) -> pwd.struct_passwd:
    """Return the account `name`, or raise ServerMissing."""
    try:
        return pwd.getpwnam(name)
    except KeyError:
        raise ServerMissing(f"there is no user {name} (Debian package {package})") from None
