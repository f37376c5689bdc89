"""A headless Chromium with one page, driven over the DevTools protocol on a pipe; needs nothing but the standard library."""
import base64
import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds, on a machine that many use


class Browser:
    def __init__(self, program, width=1400, height=900):
        self.folder = tempfile.mkdtemp(prefix="anml-page-")
        to_browser, self.sender = os.pipe()
        self.receiver, from_browser = os.pipe()

        def pipes():  # Chromium reads from descriptor 3 and writes to 4
            high = (os.dup(to_browser), os.dup(from_browser))
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
             "--enable-unsafe-swiftshader", "--disable-gpu-watchdog", "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
             "--disable-background-timer-throttling", "--remote-debugging-pipe", "--no-first-run", "--hide-scrollbars",
             f"--window-size={width},{height}", f"--user-data-dir={self.folder}", "about:blank"],
            preexec_fn=pipes, close_fds=False, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Network"):
                self.call(domain + ".enable")
        except RuntimeError:
            self.close()
            raise

    def message(self, end, what):
        while b"\0" not in self.buffer:
            if not select.select([self.receiver], [], [], max(0, end - time.monotonic()))[0]:
                raise RuntimeError(f"no answer in {PATIENCE} s: {what}")
            data = os.read(self.receiver, 1 << 20)
            if not data:
                raise RuntimeError("the browser ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.sender, json.dumps(request).encode() + b"\0")
        end = time.monotonic() + PATIENCE
        while True:
            answer = self.message(end, json.dumps(request)[:300])
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        end = time.monotonic() + PATIENCE
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message(end, "load " + path))

    def problems(self):
        """Exceptions that the page did not catch, and what it tried to load from elsewhere."""
        found = [e["params"]["exceptionDetails"].get("exception", {}).get("description") for e in self.events if e.get("method") == "Runtime.exceptionThrown"]
        asked = [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]
        return found + [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))]

    def run(self, code):
        answer = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text):
        for character in text:
            self.key(character)

    def click(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def settle(self, milliseconds=350):
        """Lets animations end and a frame be drawn, if one is due within a second."""
        self.run(f"new Promise((done) => setTimeout(() => {{ requestAnimationFrame(done); setTimeout(done, 1000); }}, "
                 f"{milliseconds}))")

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def colours(self, places, reach=3):
        """The colours around each place (x, y) of one picture, from its middle outwards, as "#rrggbb"."""
        near = sorted(((i, j) for j in range(-reach, reach + 1) for i in range(-reach, reach + 1)), key=lambda at: abs(at[0]) + abs(at[1]))
        return self.run(f"""(async () => {{
          const bytes = Uint8Array.from(atob("{self.call("Page.captureScreenshot")["data"]}"), (c) => c.charCodeAt(0));
          const picture = await createImageBitmap(new Blob([bytes], {{ type: "image/png" }}));
          const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
          canvas.drawImage(picture, 0, 0);
          const all = canvas.getImageData(0, 0, picture.width, picture.height).data;
          const at = (x, y) => all.subarray(4 * (y * picture.width + x)).slice(0, 3);
          const colour = (x, y) => "#" + [...at(x, y)].map((part) => part.toString(16).padStart(2, "0")).join("");
          return {json.dumps([[round(x), round(y)] for x, y in places])}.map(([x, y]) => {json.dumps(near)}.map(([i, j]) => colour(x + i, y + j)));
        }})()""")

    @contextlib.contextmanager
    def paper(self, width=703):
        """The page as it is printed, on A4 with its margins. Gives what is cut: tables and charts that end beyond the paper."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=1000, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media="print")
        try:
            self.run("dispatchEvent(new Event('beforeprint'))")
            self.settle()
            ends = self.run("[...document.querySelectorAll('table, canvas')].map((e) => [e.tagName, e.closest('section').id, e.getBoundingClientRect().right])")
            yield [end for end in ends if end[2] > width + 1]
        finally:
            self.run("dispatchEvent(new Event('afterprint'))")
            self.call("Emulation.setEmulatedMedia", media="")
            self.call("Emulation.clearDeviceMetricsOverride")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:  # with all its processes, which would live on
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.sender)
        os.close(self.receiver)
        shutil.rmtree(self.folder, ignore_errors=True)
