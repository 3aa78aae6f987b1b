# SPDX-License-Identifier: Apache-2.0
"""The files around the code: do they say the same as the code?"""
import keyword
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def ci(*arguments):
    return subprocess.run([ROOT / ".ci/run", *arguments], capture_output=True, text=True, check=False)


class Ci(unittest.TestCase):
    def test_the_workflow_runs_every_step_in_order(self):
        workflow = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"run: \.ci/run ([a-z-]+)", workflow), ci("--list").stdout.split())

    def test_a_single_step_runs_alone(self):
        done = ci("includes")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(re.findall(r"^=== ([a-z-]+):", done.stdout, re.M), ["includes"])
        self.assertTrue(done.stdout.endswith("0 passed, 0 failed, 0 skipped\n"), done.stdout)

    def test_an_unknown_step_is_refused_before_anything_runs(self):
        done = ci("includes", "nothing")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no step 'nothing'", done.stderr)


class Files(unittest.TestCase):
    def test_links_between_the_pages_lead_somewhere(self):
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
            text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
                self.assertTrue((page.parent / target).exists(), f"{page.name} links to {target}")

    def test_every_source_names_its_licence_at_the_top(self):
        folders = ("src", "include", "python", "tests", "examples", "bench", "zoo", "cmake")
        sources = [p for folder in folders for p in (ROOT / folder).rglob("*")
                   if p.suffix in {".cc", ".h", ".py", ".pyi", ".sh", ".cmake"} or p.name == "CMakeLists.txt"]
        sources += [p for p in (ROOT / "scripts").iterdir() if p.is_file()]
        self.assertGreater(len(sources), 500)
        for path in sources:
            top = path.read_text(encoding="utf-8").splitlines()[:2]  # the first may name an interpreter
            self.assertTrue(any("SPDX-License-Identifier: Apache-2.0" in line for line in top), path)

    def test_only_the_tables_of_studies_ask_for_a_verb_by_its_name(self):
        tables = {ROOT / "src/record/study_info.cc", ROOT / "src/report/study_view.cc"}
        asks = re.compile(r"(?:\.|->)verb\s*[=!]=|[=!]=\s*\w+(?:\.|->)verb\b|\.verb\s+(?:not\s+)?in\b|\[\"verb\"\]\s*(?:[=!]=|in\b)")
        for path in sorted([*(ROOT / "src").rglob("*"), *(ROOT / "python").rglob("*")]):
            if path.suffix not in {".cc", ".h", ".py"} or path.name.endswith("_test.cc"):
                continue
            found = asks.search(path.read_text(encoding="utf-8"))
            self.assertEqual(found is not None, path in tables, f"{path}: {found and found[0]}")

    def test_keyword_arguments_are_the_members_of_the_structs_of_options(self):
        structs = "\n".join((ROOT / f"include/strobe/{name}.h").read_text(encoding="utf-8")
                            for name in ("measure", "model", "study"))
        keywords = (ROOT / "src/python/keywords.cc").read_text(encoding="utf-8")
        # What a function has as an argument, and what belongs to C++ alone.
        beside = {"progress", "stop"}
        elsewhere = {"Model": {"log"}, "PipelineOptions": {"complete", "launches"}, "PipelineStep": {"name", "run"},
                     "Candidate": {"name", "what"}}
        tables = dict.fromkeys(re.findall(r"keyword<&(\w+)::", keywords))
        self.assertGreater(len(tables), 8)
        for struct in tables:
            body = re.search(rf"^struct {struct} {{\n(.*?)^}};", structs, re.M | re.S)[1]
            code = re.sub(r"//.*", "", body)
            members = re.findall(r"^  [\w:][\w:<>, ()&*]*?[\s*](\w+)\s*(?:=[^;]*)?;", code, re.M | re.S)
            rows = re.findall(rf'keyword<&{struct}::(\w+)>\("(\w+)"\)', keywords)
            self.assertGreater(len(rows), 2, struct)
            for member, name in rows:  # what is a word of Python's own has a line behind it
                self.assertEqual(f"{member}_" if keyword.iskeyword(member) else member, name, struct)
            self.assertEqual(sorted(member for member, _ in rows), sorted(set(members) - beside - elsewhere.get(struct, set())),
                             struct)

    def test_every_detector_has_a_row_and_a_section_of_the_findings(self):
        table = (ROOT / "src/verdict/judge.cc").read_text(encoding="utf-8")
        page = (ROOT / "docs/findings.md").read_text(encoding="utf-8")
        ids = re.findall(r'^    Detector\{"([a-z-]+)"', table, re.M)
        self.assertGreater(len(ids), 50)
        for name in ids:
            of_the_doctor = f"\n| `{name}` | " in page  # a row of its table is all there is to say
            section = f"[`{name}`](#{name}) |" in page and re.search(rf"(?m)^#+ {name}$", page)
            self.assertTrue(of_the_doctor or section, f"docs/findings.md lacks the row or the section of '{name}'")

    def test_the_changelog_names_the_version(self):
        header = (ROOT / "include/strobe/version.h").read_text(encoding="utf-8")
        version = ".".join(re.findall(r"#define STROBE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))
        self.assertIn(version, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
