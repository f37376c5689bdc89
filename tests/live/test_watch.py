"""`live --watch` on a terminal of its own, and where there is none."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import unittest

from netlab import Lab

MODEL = """
import std.ether
import std.web

model Watched {
  endpoint server { address = 10.0.0.80 }
  router r
  host client[4]
  link entry: server -- r { rate = 10 Mbps, delay = 1 ms }
  link desk: client[*] -- r : ether.fast { delay = 1 ms }
  workload browse : web.ClosedLoop on client[*] { server = server, documents = web.fixed(1 KB), think = 50 ms }
  run { duration = 60 s }
}
"""


class Screen:
    """What a terminal of `columns` and `rows` shows of what was written to it: as much as the view needs."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines, self.row, self.column = [[" "] * columns for _ in range(rows)], 0, 0

    def feed(self, text):
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|.|\n", text, re.S):
            if part == "\n":
                self.row += 1
            elif part == "\r":
                self.column = 0
            elif part.startswith("\x1b["):
                self.control(part[2:-1], part[-1])
            else:
                if self.column == self.columns:
                    self.row, self.column = self.row + 1, 0
                    self.scroll()
                self.lines[self.row][self.column] = part
                self.column += 1
            self.scroll()

    def scroll(self):
        if self.row == self.rows:
            self.lines.append([" "] * self.columns)
            self.lines.pop(0)
            self.row -= 1

    def control(self, number, what):
        if what == "A":
            self.row = max(0, self.row - int(number or 1))
        elif what == "K":
            self.lines[self.row][self.column:] = [" "] * (self.columns - self.column)
        elif what == "J":
            self.control("", "K")
            for row in range(self.row + 1, self.rows):
                self.lines[row] = [" "] * self.columns
        elif what != "m":
            raise AssertionError(f"the terminal is told {what}")

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)


class Watch(unittest.TestCase):
    def run_it(self, lab, terminal, seconds, **environment):
        emulator = lab.compile(MODEL, "-O0")
        return subprocess.Popen([str(emulator), "live", "--watch", "--for", f"{seconds}s", "--sandbox", "--", *lab.nginx({"/1024": 1024}),
                                 "-g", "daemon off;"], stdout=subprocess.PIPE, stderr=terminal, stdin=subprocess.DEVNULL, text=True,
                                env={**os.environ, **environment})

    def on_terminal(self, columns, rows, how=None, **environment):
        """What was shown in the midst of a run, and what the terminal shows behind it."""
        with Lab() as lab:
            leader, follower = pty.openpty()
            fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            live = self.run_it(lab, follower, 60 if how else 5, **environment)
            os.close(follower)
            os.set_blocking(leader, False)
            screen, shown, data, told = Screen(columns, rows), "", b"", False
            end = time.monotonic() + 30
            while time.monotonic() < end:
                try:
                    data += os.read(leader, 65536)
                except BlockingIOError:
                    time.sleep(0.05)
                except OSError:  # its other end is closed
                    break
                whole = data.decode(errors="ignore")
                data = data[len(whole.encode()):]
                screen.feed(whole)
                if re.search(r"(transactions .* )?\d+/s", screen.text()):
                    shown = screen.text()
                    if how and not told and re.search(r" (?:[3-9]|\d\d) of", shown):
                        live.send_signal(how)
                        told = True
            self.assertIn(live.wait(10), (0, 130))
            os.close(leader)
            self.assertIn("Watched  live", live.stdout.read())
            live.stdout.close()
            return shown, screen.text()

    def test_on_a_terminal(self):
        shown, after = self.on_terminal(100, 30, LC_ALL="C.UTF-8")
        self.assertRegex(shown, r"Watched  \d of 5 s  \d+ % busy, \d+ packets late")
        self.assertRegex(shown, r"transactions .*[▁▂▃▄▅▆▇█]+ \d+/s")
        self.assertRegex(shown, r"mean response .*█.* [\d.]+ m?u?s")
        self.assertRegex(shown, r"slip p99 .*█")
        self.assertRegex(shown, r"entry[<>] .*[▁▂▃▄▅▆▇█] \d+ % [\d.]+ [KM]bps")
        # It is gone at the end, and what else was said stays.
        self.assertNotIn("transactions", after)
        self.assertIn("forecast", after)

    def test_small_and_ascii(self):
        shown, _ = self.on_terminal(40, 6, LC_ALL="C")
        self.assertTrue(shown.isascii(), shown)
        self.assertRegex(shown, r"transactions +\d+/s")

    def test_interrupted(self):
        shown, after = self.on_terminal(100, 30, signal.SIGINT, LC_ALL="C")
        self.assertRegex(shown, r"transactions .*[_.:=+*#-]+ \d+/s")
        self.assertNotIn("transactions", after)

    def test_without_a_terminal(self):
        with Lab() as lab:
            live = self.run_it(lab, subprocess.PIPE, 4)
            _, said = live.communicate(timeout=30)
            self.assertNotIn("\x1b", said)
            lines = re.findall(r"^\d s  \d+/s  mean response .*  slip p99 .*  \d+ % busy  .* \d+ %$", said, re.M)
            self.assertGreaterEqual(len(lines), 2, said)


if __name__ == "__main__":
    unittest.main()
