# SPDX-License-Identifier: Apache-2.0
"""Pages in a real browser: what they show is what the record holds, and they ask nobody for anything.

STROBE_PROGRAM names the program. STROBE_SHOTS names a folder to leave screenshots in.

    python tests/browser_test.py [-v] [NAME]
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from browser.chromium import Chromium, why_not  # noqa: E402
from browser.records import MADE  # noqa: E402

PROGRAM = Path(os.environ.get("STROBE_PROGRAM") or "build/release/bin/strobe").absolute()
SHOTS = os.environ.get("STROBE_SHOTS")
REASON = why_not()

MEASURED = {
    "run": ["run", "sim:launch-bound", "--graph", "--copies", "--effort", "quick", "--launches", "1"],
    "real": ["run", "work:spin=1ms", "--requests", "300", "--launches", "1"],
    "bimodal": ["run", "sim:bimodal", "--effort", "quick", "--launches", "1"],
    "drifting": ["run", "sim:drifting", "--effort", "quick", "--launches", "1"],
    "compared": ["compare", "sim:launch-bound", "sim:launch-bound,noise=2%"],
    "launched": ["run", "sim:launch-bound", "--effort", "quick", "--launches", "3"],
    "varying": ["run", "sim:kernels=40x30us,launch=4us,noise=0.01,launch_noise=0.02", "--effort", "quick"],
    "methods": ["methods", "sim:launch-bound"],
    "sweep": ["run", "sim:launch-bound", "--requests", "50", "--launches", "1", "--sweep", "in-flight=1,2,4"],
    "profile": ["profile", "sim:kernels=40x3us+1x200us+40x2us,launch=4us,sync=6us,noise=0.01", "--launches", "2"],
    "memory": ["memory", "sim:memory", "--launches", "2", "--limit", "2GiB"],
    "leak": ["memory", "work:leak=1MB", "--launches", "2"],
    "doctor": ["doctor"],
    "selftest": ["selftest", "--runs", "5"],
}

FIGURES = """[...document.querySelectorAll('article [data-metric]')].map(e =>
  [e.dataset.metric, e.dataset.field, Number(e.getAttribute('value')), e.textContent])"""

# Every text on the page with its colour and the colour behind it; marks inside bars have the bar behind them.
COLOURS = """(() => {
  document.querySelectorAll('details').forEach(d => { d.open = true; });
  const seen = new Map();
  for (const e of document.querySelectorAll('body *')) {
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.getClientRects().length || e.closest('title, desc, script') || e.classList.contains('inside')) continue;
    const style = getComputedStyle(e);
    let behind = e;
    while (behind && /rgba\\(.*, 0\\)|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
    const ink = e instanceof SVGElement ? style.fill : style.color;
    seen.set(ink + '|' + getComputedStyle(behind).backgroundColor, e.outerHTML.slice(0, 80));
  }
  return [...seen];
})()"""

# Tables that do not fit and do not say so, and words of pictures that leave their card.
CUT_OFF = """[
  ...[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth + 1).filter(e =>
    !getComputedStyle(e.querySelector('caption'), '::before').content.includes('scroll') ||
    !getComputedStyle(e).backgroundImage.includes('gradient')).map(e => e.textContent.slice(0, 60)),
  ...[...document.querySelectorAll('figure svg text')].filter(e => {
    const card = e.closest('figure').getBoundingClientRect(), own = e.getBoundingClientRect();
    return own.width && (own.left < card.left - 1 || own.right > card.right + 1);
  }).map(e => e.textContent)]"""

# Cards beside which more than a fifth of the page is free.
HALF_EMPTY = """[...document.querySelectorAll('figure')].filter(e => e.getClientRects().length).filter(e => {
  const row = e.closest('section').getBoundingClientRect(), own = e.getBoundingClientRect();
  const beside = [...document.querySelectorAll('figure')].some(o => o !== e && o.getClientRects().length &&
    o.getBoundingClientRect().top < own.bottom - 1 && o.getBoundingClientRect().bottom > own.top + 1);
  return !beside && own.width < 0.8 * row.width;
}).map(e => e.querySelector('title').textContent)"""

PARTS = """[...document.querySelectorAll('.hero, figure, .findings, .scroll')].filter(e => !e.closest('figure') || e.matches('figure'))
  .map(e => e.matches('figure') ? 'FIGURE' : e.classList[0])"""


def strobe(*arguments, folder):
    done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise AssertionError(f"{arguments}: exit {done.returncode}: {done.stderr}")
    return done


def luminance(colour):
    channels = [float(c) / 255 for c in colour[colour.index("(") + 1:-1].split(",")[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(a, b):
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


class Fixture:
    """One browser and one folder of pages for all tests."""
    folder = browser = None
    names = [*MEASURED, *MADE]


def setUpModule():
    if REASON:
        return
    folder = tempfile.TemporaryDirectory(prefix="strobe-browser-")
    unittest.addModuleCleanup(folder.cleanup)
    Fixture.folder = Path(folder.name)
    Fixture.browser = Chromium()
    unittest.addModuleCleanup(Fixture.browser.close)
    for name, arguments in MEASURED.items():
        strobe(*arguments, "--export", f"{name}.html", "--json", f"{name}.json", folder=Fixture.folder)
    run = json.loads((Fixture.folder / "run.json").read_text())
    for name, make in MADE.items():
        (Fixture.folder / f"{name}.json").write_text(json.dumps(make(run)))
        strobe("report", f"{name}.json", folder=Fixture.folder)


@unittest.skipIf(REASON, REASON)
class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder, cls.browser, cls.names = Fixture.folder, Fixture.browser, Fixture.names

    def setUp(self):
        self.browser.set_width(1100)
        self.browser.set_theme("light")

    def open(self, name):
        self.browser.open(self.folder / f"{name}.html")
        self.assertEqual(self.browser.complaints(), [], name)

    def shoot(self, name):
        if SHOTS:
            data = self.browser.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
            (Path(SHOTS) / f"{name}.png").write_bytes(base64.b64decode(data))


class EveryPage(BrowserTest):
    def test_no_complaint_and_no_request(self):
        for name in self.names:
            with self.subTest(name):
                self.open(name)
                self.assertEqual(self.browser.requests(), [(self.folder / f"{name}.html").as_uri()])
                self.shoot(f"{name}-light")

    def test_the_record_inside_is_the_record(self):
        for name in self.names:
            with self.subTest(name):
                self.open(name)
                inside = json.loads(self.browser.evaluate("document.getElementById('record-1').textContent"))
                stored = json.loads((self.folder / f"{name}.json").read_text())
                self.assertEqual(inside["metrics"].keys(), stored["metrics"].keys())
                self.assertEqual([inside[k] for k in ("verb", "verdict", "findings")],
                                 [stored[k] for k in ("verb", "verdict", "findings")])

    def test_fits_a_phone(self):
        self.browser.set_width(400)
        for name in self.names:
            with self.subTest(name):
                self.open(name)
                self.browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 400)
        self.open("real")
        self.shoot("real-phone")

    def test_nothing_is_cut_off_without_a_cue(self):
        self.browser.set_width(400)
        for name in self.names:
            with self.subTest(name):
                self.open(name)
                self.shoot(f"{name}-phone")
                self.browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
                self.browser.evaluate("new Promise(done => setTimeout(done, 50))")  # the pages hear of it
                self.assertEqual(self.browser.evaluate(CUT_OFF), [])

    def test_no_row_of_pictures_is_half_empty(self):
        for name in self.names:
            with self.subTest(name):
                self.open(name)
                self.assertEqual(self.browser.evaluate(HALF_EMPTY), [])

    def test_pictures_come_first(self):
        for name in self.names:
            with self.subTest(name):
                self.open(name)
                order = self.browser.evaluate(PARTS)
                if "FIGURE" in order:
                    self.assertEqual(order[:2], ["hero", "FIGURE"])

    def test_headings_are_in_order(self):
        for name in self.names:
            self.open(name)
            levels = self.browser.evaluate("[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => +h.tagName[1])")
            self.assertEqual(levels.count(1), 1, name)
            for before, after in zip(levels, levels[1:]):
                self.assertLessEqual(after, before + 1, name)

    def test_text_stands_out_in_both_themes(self):
        for theme in ("light", "dark"):
            self.browser.set_theme(theme)
            for name in self.names:
                self.open(name)
                self.shoot(f"{name}-{theme}")
                colours = self.browser.evaluate(COLOURS)
                self.assertGreater(len(colours), 2, name)
                for pair, where in colours:
                    with self.subTest(theme=theme, page=name, where=where):
                        self.assertGreaterEqual(contrast(*pair.split("|")), 4.5)

    def test_can_be_printed(self):
        for name in ("run", "methods"):
            self.open(name)
            pdf = base64.b64decode(self.browser.call("Page.printToPDF")["data"])
            self.assertTrue(pdf.startswith(b"%PDF"))


class Figures(BrowserTest):
    def expected(self, record, metric, field):
        """The number of the record that `field` of `metric` stands for."""
        name, _, side = field.partition(".") if field.startswith("median") else field.rpartition(".")
        if side not in ("low", "high"):
            name, side = field, "value"
        values = record["metrics"][metric]
        if name == "median":
            return values.get("median", values)[side]
        return next(q[side] for q in values["percentiles"] if f"p{100 * q['p']:g}" == name)

    def test_equal_those_in_the_record(self):
        for name in ("run", "real", "bimodal", "drifting", "launches"):
            record = json.loads((self.folder / f"{name}.json").read_text())
            self.open(name)
            shown = self.browser.evaluate(FIGURES)
            own = [f for f in shown if f[1].startswith(("median", "p"))]
            for metric, field, value, text in own:
                with self.subTest(page=name, metric=metric, field=field):
                    self.assertEqual(value, self.expected(record, metric, field))
                    self.assertTrue(text)
            known = [m for m, values in record["metrics"].items() if "unknown" not in values]
            self.assertEqual({m for m, f, _, _ in own if f == "median"}, set(known))

    def test_of_cases_equal_those_in_the_record(self):
        for name, metric in (("methods", "reading"), ("sweep", "latency"), ("throughput", "throughput")):
            record = json.loads((self.folder / f"{name}.json").read_text())
            self.open(name)
            shown = {(f[1], f[2]) for f in self.browser.evaluate(FIGURES) if f[0] == metric}
            for case in record["cases"]:
                if metric in case.get("metrics", {}):
                    # A method that counts the first requests reports their mean.
                    reported = "median" if case.get("settings", {}).get("warmup", True) else "mean"
                    values = case["metrics"][metric]
                    self.assertIn((case["name"], values.get(reported, values)["value"]), shown)

    def test_the_headline_is_the_first_thing(self):
        record = json.loads((self.folder / "run.json").read_text())
        self.open("run")
        first = self.browser.evaluate(FIGURES)[:3]
        median = record["metrics"]["latency"]["median"]
        self.assertEqual([(f[1], f[2]) for f in first],
                         [("median", median["value"]), ("median.low", median["low"]), ("median.high", median["high"])])
        self.assertEqual(self.browser.evaluate("document.querySelector('[data-verdict]').textContent"), record["verdict"])


class Reading(BrowserTest):
    def read_out(self):
        return self.browser.evaluate("document.querySelector('.plot .readout').textContent")

    def titles(self):
        return self.browser.evaluate("[...document.querySelectorAll('.plot')[0].querySelectorAll('.mark title')]"
                                     ".map(t => t.textContent)")

    def test_arrow_keys_move_through_the_values(self):
        self.open("run")
        titles = self.titles()
        self.browser.evaluate("document.querySelector('.plot').focus()")
        for key, at in (("ArrowRight", 0), ("ArrowRight", 1), ("ArrowLeft", 0), ("End", len(titles) - 1), ("Home", 0)):
            self.browser.press(key)
            self.assertEqual(self.read_out(), titles[at])

    def test_hovering_shows_a_value(self):
        self.open("run")
        box = self.browser.evaluate("""(() => { const plot = document.querySelector('.plot'); plot.scrollIntoView();
            const b = plot.querySelectorAll('.mark')[40].getBoundingClientRect();
            return [b.x + b.width / 2, b.y + b.height / 2]; })()""")
        self.browser.point(*box)
        self.assertIn(self.read_out(), self.titles())
        self.assertTrue(self.read_out())

    def test_every_picture_has_a_name_and_a_table(self):
        self.open("run")
        self.assertEqual(self.browser.evaluate("""[...document.querySelectorAll('figure')].filter(f =>
            !(f.querySelector('svg[role=img] > title').textContent && f.querySelector('svg > desc').textContent &&
              f.querySelector('table') && f.querySelector('[tabindex="0"]') && f.querySelector('[aria-live]'))).length"""), 0)

    def test_every_source_of_uncertainty_is_read_out(self):
        self.open("varying")
        marks = self.browser.evaluate("[...document.querySelectorAll('.mark title')].map(t => t.textContent)"
                                      ".filter(t => t.endsWith('of the variance'))")
        self.assertEqual([m.split(":")[0] for m in marks],
                         ["device time, requests", "device time, rounds", "device time, launches", "throughput, rounds",
                          "throughput, launches"])

    def test_the_record_can_be_saved(self):
        self.open("run")
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('button[data-record]')].map(b => [b.hidden, b.dataset.name])"),
                         [[False, "sim_launch-bound.json"]])


class Strangers(BrowserTest):
    def test_markup_from_outside_is_text(self):
        self.open("evil")
        self.assertIsNone(self.browser.evaluate("window.fooled"))
        self.assertEqual(self.browser.evaluate("document.scripts.length"), 2)
        self.assertEqual(self.browser.evaluate("document.images.length"), 0)
        record = json.loads((self.folder / "evil.json").read_text())
        self.assertEqual(self.browser.evaluate("document.querySelector('h1').textContent"), record["model"]["name"])

    def test_several_records_share_a_page(self):
        strobe("report", "run.json", "evil.json", "methods.json", "--export", "all.html", folder=self.folder)
        self.open("all")
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('article').length"), 3)
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('nav a')].filter(a => "
                                               "!document.querySelector(a.getAttribute('href'))).length"), 0)
        self.assertEqual(self.browser.evaluate("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size"),
                         self.browser.evaluate("document.querySelectorAll('[id]').length"), "an id is there twice")


# Where spans that are drawn begin and end on the screen, by their names; the same of the frame that they are in.
DRAWN = """(() => {
  const plot = document.querySelector('.plot[data-zoom]'), svg = plot.querySelector('svg');
  const [left, right] = plot.dataset.zoom.split(' ').map(Number);
  const drawn = [...svg.querySelectorAll('.mark')].filter(g => g.style.display !== 'none');
  return {left, right, spans: drawn.map(g => { const r = g.querySelector('rect');
    return [g.dataset.name, +r.getAttribute('x'), +r.getAttribute('x') + +r.getAttribute('width')]; }),
    status: plot.querySelector('.zoom [role=status]').textContent,
    ticks: [...svg.querySelectorAll('text.tick.mid')].filter(t => t.getClientRects().length).map(t => t.textContent)};
})()"""
FRAME = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class TimeLine(BrowserTest):
    def drawn(self):
        self.browser.evaluate(FRAME)
        return self.browser.evaluate(DRAWN)

    def press_button(self, name):
        self.browser.evaluate(f"document.querySelector('.zoom [aria-label=\"{name}\"]').click()")
        return self.drawn()

    def press(self, key):
        self.browser.evaluate("document.querySelector('.plot[data-zoom]').focus()")
        self.browser.press(key)
        return self.drawn()

    def test_zooms_moves_and_comes_back(self):
        self.open("profile")
        all_of_it = self.drawn()
        self.assertTrue(all_of_it["status"].startswith("all of "), all_of_it["status"])
        for _ in range(4):
            near = self.press_button("Zoom in")
        self.assertLess(len(near["spans"]), len(all_of_it["spans"]))
        self.assertTrue(all(near["left"] - 0.1 <= a <= b <= near["right"] + 0.1 for _, a, b in near["spans"]), near["spans"])
        self.assertGreaterEqual(len(near["ticks"]), 2)
        self.assertTrue(all("µs" in t for t in near["ticks"]), near["ticks"])
        later = self.press_button("Later")
        self.assertNotEqual(near["status"], later["status"])
        self.assertEqual(self.press_button("Earlier"), near)
        self.assertEqual(self.press_button("Show all"), all_of_it)

    def test_a_span_is_where_its_time_says(self):
        self.open("profile")
        self.press_button("Zoom in")
        near = self.press_button("Zoom in")
        whole = self.browser.evaluate("+document.querySelector('.plot[data-zoom]').dataset.zoom.split(' ')[4]")
        spans = self.browser.evaluate("[...document.querySelectorAll('.plot[data-zoom] .mark')].map(g => "
                                      "[g.dataset.name, ...g.dataset.at.split(' ').map(Number)])")
        begin, length = whole * 3 / 8, whole / 4  # twice by half, around the middle
        pixels = (near["right"] - near["left"]) / length
        inside = [(name, near["left"] + max(0, a - begin) * pixels, near["left"] + min(length, b - begin) * pixels)
                  for name, a, b in spans if b > begin and a < begin + length]
        self.assertEqual(len(inside), len(near["spans"]))
        for (name, a, b), (drawn_name, drawn_a, drawn_b) in zip(inside, near["spans"]):
            self.assertEqual(name, drawn_name)
            self.assertAlmostEqual(a, drawn_a, delta=0.3)
            self.assertAlmostEqual(max(b, a + 1), drawn_b, delta=0.8)

    def test_keys_zoom_and_arrows_bring_a_value_into_view(self):
        self.open("profile")
        all_of_it = self.drawn()
        for _ in range(6):
            self.press("+")
        near = self.press("-")
        self.press("-")
        self.assertEqual(self.press("+")["status"], near["status"])
        self.press("End")  # the last span, which was out of view
        self.assertIn(self.browser.evaluate("document.querySelector('.plot[data-zoom] .mark.on').dataset.name"),
                      [name for name, *_ in self.drawn()["spans"]])
        self.assertEqual(self.press("0"), all_of_it)

    def test_a_wheel_zooms_where_the_picture_has_the_focus_and_a_drag_moves(self):
        self.open("profile")
        box = self.browser.evaluate("(() => { const b = document.querySelector('.plot[data-zoom] svg'); b.scrollIntoView();"
                                    " const r = b.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        before = self.drawn()
        self.browser.wheel(*box, -120)
        self.assertEqual(self.drawn()["status"], before["status"])  # who scrolls past is not held up
        self.browser.evaluate("document.querySelector('.plot[data-zoom]').scrollIntoView()")
        self.browser.evaluate("document.querySelector('.plot[data-zoom]').focus({preventScroll: true})")
        box = self.browser.evaluate("(() => { const r = document.querySelector('.plot[data-zoom] svg').getBoundingClientRect();"
                                    " return [r.x + r.width / 2, r.y + r.height / 2]; })()")
        for _ in range(5):
            self.browser.wheel(*box, -120)
        near = self.drawn()
        self.assertLess(len(near["spans"]), len(before["spans"]))
        self.browser.drag(box, (box[0] + 80, box[1]))
        self.assertNotEqual(self.drawn()["status"], near["status"])

    def test_thousands_of_spans_are_drawn_in_time(self):
        self.open("thousands")
        self.assertGreater(len(self.drawn()["spans"]), 3000)
        took = self.browser.evaluate("""(async () => {
            const button = document.querySelector('.zoom [aria-label="Zoom in"]'), begin = performance.now();
            for (let i = 0; i < 5; ++i) { button.click(); await new Promise(requestAnimationFrame); }
            return (performance.now() - begin) / 5; })()""")
        print(f"a step of zooming with 3,500 spans: {took:.0f} ms")
        self.assertLess(took, 400)

    @unittest.skipUnless(SHOTS, "STROBE_SHOTS names no folder for pictures that somebody looks at")
    def test_is_looked_at(self):
        for name, width, theme in (("profile", 1100, "light"), ("profile", 1100, "dark"), ("profile", 390, "light"),
                                   ("pipeline", 1100, "light"), ("run", 1100, "dark")):
            self.browser.set_width(width)
            self.browser.set_theme(theme)
            self.open(name)
            self.shoot(f"time-line-{name}-{width}-{theme}")
            for _ in range(3):
                self.press_button("Zoom in")
            self.shoot(f"time-line-{name}-{width}-{theme}-near")


class Large(BrowserTest):
    def test_a_million_samples(self):
        strobe("run", "sim:kernels=1x1us,launch=1us,noise=1%", "--requests", "1000000", "--launches", "1", "--graph", "--copies", "--export",
               "million.html", "--json", "million.json", folder=self.folder)
        self.assertLess((self.folder / "million.html").stat().st_size, 2e6)
        record = json.loads((self.folder / "million.json").read_text())
        self.assertEqual(record["metrics"]["latency"]["n"], 1_000_000)
        self.open("million")
        took = self.browser.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
        print(f"a million samples: {(self.folder / 'million.html').stat().st_size} bytes, loaded in {took:.0f} ms")
        self.assertLess(took, 2000)


if __name__ == "__main__":
    unittest.main()
