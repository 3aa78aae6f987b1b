# SPDX-License-Identifier: Apache-2.0
"""Drives Debian's chromium through its debugging pipe, with nothing but the standard library.

Commands and answers are JSON, each ended by a NUL byte: Chromium reads them from descriptor 3 and writes to 4.
"""

import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

SECONDS = 60


def why_not():
    """Why no browser can be used here, or nothing."""
    program = shutil.which("chromium")
    if not program:
        return "there is no chromium; scripts/setup browser installs Debian's"
    if os.path.realpath(program).startswith("/snap"):
        return "chromium is a snap here, which cannot read files of a test"
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=SECONDS)
    return None if done.returncode == 0 else "chromium does not start (Ubuntu's package is a stub for a snap)"


class Chromium:
    def __init__(self):
        self._profile = tempfile.TemporaryDirectory(prefix="strobe-chromium-", ignore_cleanup_errors=True)
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        # bash, because dash knows no descriptor above 9.
        start = f'exec "$@" 3<&{commands} 4>&{answers}'
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                   f"--user-data-dir={self._profile.name}"]
        self._child = subprocess.Popen(["bash", "-c", start, "bash", "chromium", *options], pass_fds=(commands, answers),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self._numbers = itertools.count(1)
        self._text = b""
        self._session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self._session = None
            self.call("Browser.close")
        except (OSError, EOFError, TimeoutError):
            self._child.kill()
        self._child.wait(SECONDS)
        os.close(self._commands)
        os.close(self._answers)
        self._profile.cleanup()

    def _next(self):
        end = time.monotonic() + SECONDS
        while b"\0" not in self._text:
            if not select.select([self._answers], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("chromium does not answer")
            piece = os.read(self._answers, 1 << 16)
            if not piece:
                raise EOFError("chromium has ended")
            self._text += piece
        message, self._text = self._text.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") != number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def wait_for(self, event):
        while not any(e.get("method") == event for e in self.events):
            self.events.append(self._next())

    def open(self, file):
        """Loads the page; what it said and asked for meanwhile is in `complaints` and `requests`."""
        self.events = []
        self.call("Page.navigate", url=file.as_uri())
        self.wait_for("Page.loadEventFired")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", expression))
        return result["result"].get("value")

    def complaints(self):
        """Errors and warnings of the console, exceptions, dialogs."""
        self.evaluate("0")  # what happened before has then arrived
        found = []
        for event in self.events:
            what, said = event.get("method"), event.get("params", {})
            if what in ("Runtime.exceptionThrown", "Page.javascriptDialogOpening"):
                found.append(said)
            elif what == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
                found.append(said["args"])
            elif what == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
                found.append(said["entry"]["text"])
        return found

    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events if e.get("method") == "Network.requestWillBeSent"]

    def set_width(self, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)

    def set_theme(self, theme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def wheel(self, x, y, by):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def drag(self, begin, end):
        self.point(*begin)
        self.call("Input.dispatchMouseEvent", type="mousePressed", x=begin[0], y=begin[1], button="left", buttons=1, clickCount=1)
        for part in (0.3, 0.6, 1):
            x, y = (a + part * (b - a) for a, b in zip(begin, end))
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=end[0], y=end[1], button="left", buttons=0, clickCount=1)
