"""Memory of the server over rounds of edits of a file of 10 000 lines and of small ones, as it is when the client pauses: flat, and
given back when the files are closed. [--show] prints it."""
import pathlib
import random
import re
import sys
import time
import unittest

from client import ROOT, SANITIZED, LspTest, position
from test_edits import mutated
from test_speed import large_model

ROUNDS, EDITS = 6, 25
PAUSE = 0.4         # s, of which the server waits 0.1 before it gives memory back
GROWTH = 8 << 20    # bytes that may be added behind the first two rounds for good: in both of the last two
KEPT = 20 << 20     # bytes beyond those of before the first file that may be left when all are closed


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) << 10


class Memory(LspTest):
    def paused(self, client):
        """What is resident when nothing is left to do: the least of some looks, of which one may fall into work."""
        least = None
        for _ in range(3):
            time.sleep(PAUSE)
            least = min(least or sys.maxsize, resident(client.process))
        return least

    @unittest.skipIf(SANITIZED, "the sanitizer's allocator keeps what is freed")
    def test_rounds_of_edits(self):
        chance = random.Random(1)
        texts = [large_model(), *((ROOT / "examples" / name / f"{name}.anml").read_text() for name in ("isp", "campus", "dumbbell"))]
        client = self.start()
        bare = self.paused(client)
        uris = [self.write(f"m{i}.anml", text) for i, text in enumerate(texts)]
        for uri, text in zip(uris, texts):
            client.open(uri, text)
        used = []
        for _ in range(ROUNDS):
            for uri, original in zip(uris, texts):
                text = original
                for _ in range(EDITS):
                    begin, end, new = mutated(text, chance)
                    where = position(text, begin)
                    client.change(uri, {"range": {"start": where, "end": position(text, end)}, "text": new})
                    text = text[:begin] + new + text[end:]
                    client.at("hover", uri, where)  # the text has been looked at
                # A bracket too many: the parser gets all that is left at once.
                client.change(uri, {"text": original.replace("{", "{{", 1)})
                client.at("hover", uri, {"line": 0, "character": 0})
                client.change(uri, {"text": original})
            for uri in uris:
                client.checked(uri)
            client.unread.clear()
            used.append(self.paused(client))
        for uri in uris:
            client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        closed = self.paused(client)
        self.assertEqual(client.end(), 0)
        shown = f"memory in MiB: {bare >> 20}, with the files {[u >> 20 for u in used]}, and when they are closed {closed >> 20}"
        if "--show" in sys.argv:
            print(shown, file=sys.stderr)
        self.assertLess(min(used[-2:]), max(used[:2]) + GROWTH, shown)
        self.assertLess(closed, bare + KEPT, shown)


if __name__ == "__main__":
    unittest.main(argv=[a for a in sys.argv if a != "--show"])
