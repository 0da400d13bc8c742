"""The service key, in a file outside the database: what it seals, a dump of the database does not show."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from adjudicator.errors import ConfigError
from engine.core import codec

_NONCE = 12


class Vault:
    """Seals bytes with AES-256-GCM and derives secrets that need not be stored, both from the service key."""

    def __init__(self, key: bytes) -> None:
        if len(key) != 32:
            raise ValueError("a service key has 32 bytes")
        self._seal = AESGCM(self._derive(key, "seal"))
        self._names = self._derive(key, "names")

    @staticmethod
    def _derive(key: bytes, purpose: str) -> bytes:
        return hmac.new(key, f"adjudicator/{purpose}".encode(), hashlib.sha256).digest()

    def seal(self, data: bytes) -> bytes:
        """Return the data encrypted and authenticated."""
        nonce = secrets.token_bytes(_NONCE)
        return nonce + self._seal.encrypt(nonce, data, None)

    def open(self, sealed: bytes) -> bytes:
        """Return what `seal` sealed. Raises cryptography.exceptions.InvalidTag if it was altered."""
        return self._seal.decrypt(sealed[:_NONCE], sealed[_NONCE:], None)

    def seal_value(self, value: Any) -> bytes:
        """Seal a value as canonical JSON."""
        return self.seal(codec.encode(value).encode())

    def open_value(self, sealed: bytes, type_: Any = Any) -> Any:
        """Return the value of ``type_`` that `seal_value` sealed."""
        return codec.decode(self.open(sealed), type_)

    def mark(self, *names: str) -> bytes:
        """Return 32 bytes that look random, the same for the same names: Message-IDs and tokens."""
        return hmac.new(self._names, "\n".join(names).encode(), hashlib.sha256).digest()


def create_key(path: Path) -> bytes:
    """Write a new service key, readable by its owner only. Raises FileExistsError if there is one."""
    key = secrets.token_bytes(32)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(key.hex() + "\n")
    return key


def load_key(path: Path) -> bytes:
    """Return the service key. Raises `ConfigError` if the file is missing or is not a key."""
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except FileNotFoundError as cause:
        raise ConfigError("key-missing", where=str(path)) from cause
    except (OSError, ValueError) as cause:
        raise ConfigError("key-unreadable", where=str(path)) from cause
    if len(key) != 32:
        raise ConfigError("key-unreadable", where=str(path))
    return key
