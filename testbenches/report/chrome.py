# SPDX-License-Identifier: Apache-2.0
"""Headless Chromium from the standard library: one-shot (--dump-dom, --screenshot) and, over its debugging pipe, by hand."""
import base64
import fcntl
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"]
TIMEOUT = 60  # seconds


class ChromeError(Exception):
    """Chromium cannot do its part."""


class ScriptError(Exception):
    """An expression threw in the page."""


def program():
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        raise ChromeError("chromium is not installed: apt-get install -y --no-install-recommends chromium")
    return found


def dump(url, screenshot, width, height):
    """The drawn DOM of a page as HTML, with a screenshot of the window, and what the page said on the console."""
    with tempfile.TemporaryDirectory(prefix="tilefly_chrome_", ignore_cleanup_errors=True) as profile:
        command = [program(), *FLAGS, f"--user-data-dir={profile}", "--enable-logging=stderr", f"--window-size={width},{height}",
                   f"--screenshot={screenshot}", "--dump-dom", url]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT)
        except subprocess.TimeoutExpired as late:
            raise ChromeError(f"chromium did not end within {TIMEOUT} s") from late
    if done.returncode != 0 or not done.stdout:
        raise ChromeError(f"chromium ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout, re.findall(r":CONSOLE[:(].*", done.stderr)


class Page:
    """One tab of a Chromium of its own. `said` collects errors and console lines, `requests` the addresses it asked for."""

    def __init__(self, width=1280, height=1600):
        self.said, self.requests = [], []
        self._ids, self._rest, self._events, self._session = 0, b"", [], None
        self._profile = tempfile.mkdtemp(prefix="tilefly_chrome_")
        ours, theirs = os.pipe(), os.pipe()  # to chromium, from chromium
        read, write = (fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (ours[0], theirs[1]))

        def give():
            os.dup2(read, 3)
            os.dup2(write, 4)

        self._process = subprocess.Popen([program(), *FLAGS, f"--user-data-dir={self._profile}", "--remote-debugging-pipe"],
                                         preexec_fn=give, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (read, write, ours[0], theirs[1]):
            os.close(fd)
        self._out, self._in = ours[1], theirs[0]
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._session = None
            self.call("Browser.close")
            self._process.wait(10)
        except (ChromeError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._profile, ignore_errors=True)

    def call(self, method, **params):
        self._ids += 1
        message = {"id": self._ids, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._out, data):]
        while True:
            answer = self._read(method)
            if answer.get("id") == self._ids:
                if "error" in answer:
                    raise ChromeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _read(self, what):
        end = time.monotonic() + TIMEOUT
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            data = os.read(self._in, 1 << 20) if ready else b""
            if not data:
                raise ChromeError(f"{what}: no answer from chromium")
            self._rest += data
        message, self._rest = self._rest.split(b"\0", 1)
        message = json.loads(message)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, event, params):
        if event == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.said.append(details.get("exception", {}).get("description", details["text"]))
        elif event == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(argument.get("value", argument)) for argument in params["args"]))
        elif event == "Log.entryAdded":
            self.said.append(params["entry"]["text"])
        elif event == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        self._events.append(event)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        if self.evaluate("document.readyState") == "complete":  # two frames: observers of sizes have run
            self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def open(self, url):
        self.said.clear()
        self.requests.clear()
        self._events.clear()
        self.call("Page.navigate", url=url)
        while "Page.loadEventFired" not in self._events:
            self._read("Page.navigate")

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise ScriptError(f"{script}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def point_at(self, selector):
        """Moves the pointer over the middle of the first element that matches."""
        x, y = self.evaluate(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}});"
                             "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def dark(self, on):
        value = "dark" if on else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def screenshot(self, path):
        """The whole page, however long."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])
