"""An event loop in a thread of its own, for servers that live beside synchronous code."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from types import TracebackType
from typing import Self, TypeVar

Result = TypeVar("Result")

CALL_SECONDS = 30.0


class LoopThread:
    """Run coroutines in one background thread; leaving the block ends every task and the thread.

    Coroutines given to `call` run in the loop's thread, so state that only they touch needs no lock.
    """

    def __init__(self, name: str) -> None:
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._started: Future[asyncio.AbstractEventLoop] = Future()
        self._stop = asyncio.Event()

    def __enter__(self) -> Self:
        """Start the thread and wait until its loop runs."""
        self._thread.start()
        self._loop = self._started.result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel what still runs, close the loop and wait for the thread to end."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def call(self, work: Coroutine[object, object, Result], seconds: float = CALL_SECONDS) -> Result:
        """Run `work` in the loop and return its result, from any other thread.

        Raises what `work` raises, and TimeoutError after `seconds` (the work is then cancelled).
        """
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError(f"{self._thread.name}: a call from its own thread would wait for itself")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result(seconds)
        except TimeoutError:
            future.cancel()
            raise

    def _run(self) -> None:
        try:
            asyncio.run(self._until_stopped())
        except BaseException as error:
            if self._started.done():
                raise
            self._started.set_exception(error)  # the caller waits for the loop and must learn why there is none

    async def _until_stopped(self) -> None:
        self._started.set_result(asyncio.get_running_loop())
        await self._stop.wait()
