# SPDX-License-Identifier: Apache-2.0
"""strobe profile --nsys and --ncu: their command lines, and running them; kernels that nsys exported."""
import json
import shlex
import sqlite3
import subprocess

from .program import CANNOT, MEASURED, PROGRAM, USAGE, ProgramTest, environment, finding_ids

AWKWARD = "it's a \"net\" $HOME;.onnx"


class CommandLine(ProgramTest):
    def words(self, *arguments):
        return shlex.split(self.text("profile", *arguments, default=True))

    def test_nsys_sees_the_requests_of_one_pass(self):
        words = self.words("zoo:resnet18", "--batch", "8", "--device", "cuda:1", "--nsys")
        begin = words.index(str(PROGRAM.resolve()))
        self.assertEqual(words[:2], ["nsys", "profile"])
        for option in ("--capture-range=cudaProfilerApi", "--capture-range-end=stop", "--cuda-graph-trace=node",
                       "--gpu-metrics-devices=all", "--trace=cuda,nvtx,osrt", "--export=sqlite"):
            self.assertIn(option, words[:begin])
        self.assertEqual(words[begin + 1:], ["run", "zoo:resnet18", "--device", "cuda:1", "--batch", "8", "--pass", "latency",
                                             "--requests", "50", "--no-progress"])

    def test_ncu_begins_where_the_requests_begin(self):
        words = self.words("m.onnx", "--ncu", "--requests", "3")
        self.assertEqual(words[:3], ["ncu", "--profile-from-start", "off"])
        self.assertEqual(words[-5:], ["--pass", "latency", "--requests", "3", "--no-progress"])
        self.assertNotIn("--kernel-name", words)

    def test_any_name_comes_through_a_shell(self):
        line = self.text("profile", AWKWARD, "--input", "x=a b.npy", "--nsys", default=True)
        seen = subprocess.run(["bash", "-c", f"printf '%s\\n' {line}"], capture_output=True, text=True, check=True).stdout.split("\n")
        self.assertIn(AWKWARD, seen)
        self.assertIn("x=a b.npy", seen)
        self.assertEqual(shlex.split(line), seen[:-1])

    def test_ncu_takes_the_hottest_kernels_of_a_profile(self):
        kernels = [{"name": n, "calls": 1, "share": 0.1, "time": {"value": 1}} for n in
                   ("void a::gemm<float>(float*)", "add.f32(int)", "c", "d", "e", "never")]
        self.text("profile", "sim:tiny", "--requests", "10", "--json", "p.json")
        record = self.read("p.json")
        record["profile"]["kernels"] = kernels
        (self.folder / "p.json").write_text(json.dumps(record))
        words = self.words("m.onnx", "--ncu", "--kernels-of", "p.json")
        self.assertEqual(words[words.index("--kernel-name") + 1], r"regex:^(gemm|add\.f32|c|d|e)$")

    def test_what_would_be_ignored_is_refused(self):
        for words, phrase in ((["--run"], "without --nsys or --ncu"), (["--nsys", "--ncu"], "--nsys with --ncu"),
                              (["--nsys", "--launches", "3"], "--launches with --nsys"),
                              (["--nsys", "--json", "x.json"], "--json with --nsys"),
                              (["--ncu", "--dla"], "--dla with --ncu"),
                              (["--nsys", "--kernels-of", "x.json"], "--kernels-of with --nsys")):
            with self.subTest(" ".join(words)):
                self.complains(USAGE, ["profile", "m.onnx", *words], phrase, default=True)

    def test_a_tool_that_is_not_there_is_one_sentence(self):
        env = environment(PATH="/nowhere")
        self.complains(CANNOT, ["profile", "sim:tiny", "--nsys", "--run"], "cannot run nsys", "not on PATH",
                       "Install Nsight Systems", default=True, env=env)

    def test_run_runs_the_tool_and_that_runs_strobe(self):
        tool = self.folder / "bin" / "nsys"
        tool.parent.mkdir()
        tool.write_text('#!/bin/sh\nprintf "%s\\n" "$@" >words\nwhile [ "$1" != --export=sqlite ]; do shift; done\nshift\n'
                        'exec "$@" --json r.json\n')
        tool.chmod(0o755)
        env = environment(PATH=f"{tool.parent}:/usr/bin:/bin")
        result = self.strobe("profile", "sim:launch-bound", "--requests", "20", "--nsys", "--run", default=True, env=env)
        self.assertEqual(result.returncode, MEASURED, result.stderr)
        self.assertIn("nsys profile ", result.stderr)
        record = self.read("r.json")
        self.assertEqual(record["metrics"]["latency"]["n"], 20)
        self.assertIn("one-pass", finding_ids(record))


class OnePass(ProgramTest):
    def test_is_a_launch_of_one_pass_and_says_so(self):
        r = self.record("sim:launch-bound", "--pass", "latency", "--requests", "50")
        self.assertEqual(r["metrics"]["latency"]["n"], 50)
        self.assertNotIn("device_time", r["metrics"])
        self.assertEqual((r["settings"]["pass"], r["verdict"]), ("latency", "caution"))
        self.assertIn("one-pass", finding_ids(r))
        self.assertNotIn("launches", r)
        text = self.text("run", "sim:launch-bound", "--pass", "latency", default=True)
        self.assertIn("one launch", text)
        self.assertIn("for a profiler", text)

    def test_is_span_or_period_where_that_is_asked_for(self):
        for name in ("span", "period"):
            r = self.record("sim:launch-bound", "--pass", name, "--requests", "30")
            self.assertIn(name, r["metrics"])
            self.assertNotIn("latency", r["metrics"])
            self.assertEqual(r["verdict"], "caution")
        self.assertEqual(self.record("sim:launch-bound", "--graph", "--pass", "latency")["metrics"]["replay_latency"]["n"], 50)

    def test_with_more_than_a_pass_it_is_refused(self):
        self.refused(USAGE, ["sim:tiny", "--pass", "latency", "--copies"], "--copies with --pass")
        self.refused(USAGE, ["sim:tiny", "--pass", "latency", "--launches", "2"], "--launches with --pass")
        self.refused(USAGE, ["sim:tiny", "--pass", "device_time"], "--pass", "latency")
        self.refused(CANNOT, ["work:spin=10us", "--pass", "span"], "span", "--pass latency")


class Exported(ProgramTest):
    def database(self):
        db = sqlite3.connect(self.folder / "x.sqlite")
        db.executescript("""CREATE TABLE StringIds (id INT, value TEXT);
            CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT, correlationId INT, demangledName INT);
            INSERT INTO StringIds VALUES (1, 'gemm(float*)'), (2, 'add');
            INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0, 900000, 1, 1), (900000, 1000000, 2, 2);""")
        db.close()

    def test_kernels_are_read_back(self):
        self.database()
        text = self.text("report", "x.sqlite")
        self.assertRegex(text, r"90 % +900 µs +1  gemm\(float\*\)\n")
        (self.folder / "k.json").write_text(json.dumps([{"Name": "add", "Instances": 3, "Total Time (ns)": 5000}]))
        self.assertIn("100 %  5.00 µs      3  add\n", self.text("report", "k.json"))

    def test_they_are_no_record(self):
        self.database()
        self.complains(USAGE, ["report", "x.sqlite", "--export", "x.html"], "shown as text")
        self.complains(USAGE, ["report", "x.sqlite", "--format", "csv"], "shown as text")
        (self.folder / "k.json").write_text("[]")
        self.complains(CANNOT, ["report", "k.json"], "no")
        (self.folder / "x.nsys-rep").write_bytes(b"")
        self.complains(CANNOT, ["report", "x.nsys-rep"], "nsys export --type sqlite")
        (self.folder / "none.sqlite").write_bytes(b"")
        self.complains(CANNOT, ["report", "none.sqlite"], "none was recorded")
