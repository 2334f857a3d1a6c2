"""A relay from a TCP port of this machine to a Unix socket, for HTTP tools that know only TCP."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path


class Relay:
    """Relays connections until it is closed. Use it in a `with`; `port` is where it listens."""

    def __init__(self, path: Path):
        self.path = path
        self.port = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready = threading.Event()
        self._end = asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> "Relay":
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    async def _serve(self) -> None:
        """Listens until the end, and then cancels the connections that are still open: Python would
        complain of them after the last line of the script."""
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._end.wait()
        server.close()

    async def _accept(self, inside: asyncio.StreamReader, outside: asyncio.StreamWriter) -> None:
        """Relays one connection; ends quietly when the relay is closed meanwhile."""
        try:
            await self._relay(inside, outside)
        except asyncio.CancelledError:
            outside.close()

    async def _relay(self, inside: asyncio.StreamReader, outside: asyncio.StreamWriter) -> None:
        """Relays one connection in both directions; closes it if the socket does not answer."""
        await self._pass(inside, outside, lambda piece: piece, lambda piece: piece)

    async def _pass(self, inside: asyncio.StreamReader, outside: asyncio.StreamWriter,
                    asked: Callable[[bytes], bytes], answered: Callable[[bytes], bytes]) -> None:
        """Copies both directions; each piece is first passed through `asked` or `answered`."""
        try:
            answers, questions = await asyncio.open_unix_connection(str(self.path))
        except OSError:
            outside.close()
            return
        await asyncio.gather(pump(inside, questions, asked), pump(answers, outside, answered))


class WatchedRelay(Relay):
    """A relay of one request at a time: it calls `before` ahead of each connection, and `after`
    with the request and the answer when the connection has ended."""

    def __init__(self, path: Path, before: Callable[[], None],
                 after: Callable[[bytes, bytes], None]):
        super().__init__(path)
        self.before = before
        self.after = after
        self._turn = asyncio.Lock()

    async def _relay(self, inside: asyncio.StreamReader, outside: asyncio.StreamWriter) -> None:
        request, answer = bytearray(), bytearray()

        def asked(piece: bytes) -> bytes:
            request.extend(piece)
            return piece

        def answered(piece: bytes) -> bytes:
            is_first = not answer
            answer.extend(piece)
            # A client that is told so sends its next request in a new connection.
            return piece.replace(b"\r\n", b"\r\nConnection: close\r\n", 1) if is_first else piece

        async with self._turn:
            await asyncio.to_thread(self.before)
            await self._pass(inside, outside, asked, answered)
            await asyncio.to_thread(self.after, bytes(request), bytes(answer))


async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter,
               changed: Callable[[bytes], bytes]) -> None:
    """Copies bytes, each piece as `changed` returns it, until one side closes."""
    try:
        while piece := await source.read(64 * 1024):
            target.write(changed(piece))
            await target.drain()
    except OSError:
        pass
    finally:
        target.close()
