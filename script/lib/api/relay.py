"""A relay from a TCP port of this machine to a Unix socket, for HTTP tools that know only TCP."""

import asyncio
import threading
from pathlib import Path


class Relay:
    """Relays connections until it is closed. Use it in a `with`; `port` is where it listens."""

    def __init__(self, path: Path):
        self.path = path
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Relay":
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        server = self._loop.run_until_complete(
            asyncio.start_server(self._relay, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()

    async def _relay(self, inside: asyncio.StreamReader, outside: asyncio.StreamWriter) -> None:
        """Relays one connection in both directions; closes it if the socket does not answer."""
        try:
            answers, questions = await asyncio.open_unix_connection(str(self.path))
        except OSError:
            outside.close()
            return
        await asyncio.gather(pump(inside, questions), pump(answers, outside))


async def pump(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copies bytes until one side closes."""
    try:
        while piece := await source.read(64 * 1024):
            target.write(piece)
            await target.drain()
    except OSError:
        pass
    finally:
        target.close()
