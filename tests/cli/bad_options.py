# SPDX-License-Identifier: Apache-2.0
"""Words the program does not know: which one, why, and what was probably meant."""

from .program import CANNOT, USAGE, ProgramTest

# Arguments after `run sim:tiny`, and what the sentence must name.
OPTIONS = (
    ("--bacth 4", "--bacth", "did you mean '--batch'?"),
    ("--requets=5", "--requets", "did you mean '--requests'?"),
    ("--zzzzzzzz", "--zzzzzzzz"),
    ("-x", "-x"),
    ("sim:tiny", "sim:tiny"),
    ("--requests 0", "--requests '0'", "at least 1"),
    ("--requests -1", "--requests '-1'"),
    ("--requests 1.5", "--requests '1.5'", "whole number"),
    ("--requests 99999999999999999999", "too large"),
    ("--warmup -1", "--warmup '-1'"),
    ("--warmup ten", "--warmup 'ten'"),
    ("--effort fast", "--effort 'fast'", "quick, standard or sustained"),
    ("--margin 2", "--margin '2'"),
    ("--margin 150%", "--margin '150%'"),
    ("--margin -1%", "--margin '-1%'"),
    ("--margin nan", "--margin 'nan'"),
    ("--min-time 5", "--min-time '5'", "no unit"),
    ("--min-time -1s", "--min-time '-1s'", "negative"),
    ("--min-time soon", "--min-time 'soon'"),
    ("--min-time 5parsec", "'parsec'"),
    ("--min-time 1e300h", "--min-time '1e300h'"),
    ("--max-time 0s", "--max-time"),
    ("--min-time 10s --max-time 1s", "--min-time is longer than --max-time"),
    ("--in-flight 0", "--in-flight '0'", "at least 1"),
    ("--in-flight 5000", "--in-flight", "4096"),
    ("--percentiles 0,100", "--percentiles '0'", "below 100"),
    ("--percentiles 99,100", "--percentiles '100'", "below 100"),
    ("--percentiles 0.99", "--percentiles '0.99'", "Did you mean 99?"),
    ("--p99", "strobe has no --p99; use --percentiles 99"),
    ("--percentiles 50,,99", "--percentiles"),
    ("--percentiles pp99", "--percentiles 'pp99'"),
    ("--seed -1", "--seed '-1'"),
    ("--seed x", "--seed 'x'"),
    ("--color purple", "--color 'purple'", "auto, always or never"),
    ("--format xml", "--format 'xml'", "json"),
    ("--format jsn", "did you mean 'json'?"),
    ("--export result.docx", "result.docx", ".json"),
    ("--export result", "'result'"),
    ("--device cpu", "simulated"),
    ("--batch 4", "--batch", "no model file"),
    ("--shape x=1", "--shape", "no model file"),
    ("--input x=x.npy", "--input", "no model file"),
    ("--input-range 0..1", "--input-range", "no model file"),
    ("--threads 2", "--threads", "no model file"),
    ("--set a=b", "--set", "no model file"),
    ("--dtype fp16", "--dtype", "no model file"),
    ("--layout channels_last", "--layout", "no model file"),
    ("--no-optimize", "--no-optimize", "no model file"),
    ("--dtype fp64", "--dtype 'fp64'", "fp16 or bf16"),
    ("--layout nhwc", "--layout 'nhwc'", "channels_last"),
    ("--runtime onnxruntime", "--runtime", "no model file"),
    ("--flops 1e9", "--flops", "model files only"),
    ("--flops 0", "--flops is not above 0"),
    ("--batch 0", "--batch '0'"),
    ("--batch -3", "--batch '-3'"),
    ("--batch many", "--batch 'many'"),
    ("--threads 0", "--threads '0'"),
)

SOURCES = (
    ("sim:", "sim:", "launch-bound"),
    ("sim:nonsense", "sim:nonsense", "launch-bound"),
    ("sim:lanch-bound", "did you mean 'launch-bound'?"),
    ("sim:lanch=5us", "'lanch'", "did you mean 'launch'?"),
    ("sim:launch=", "launch"),
    ("sim:launch=5", "launch", "no unit"),
    ("sim:launch=-5us", "launch", "negative"),
    ("sim:launch=2h", "launch=2h", "1h"),
    ("sim:tick=0ns", "tick=0ns", "1ns"),
    ("sim:kernels=1000000000x1us", "kernels", "100,000"),
    ("sim:kernels=x1us", "kernels"),
    ("sim:launch-bound,,", "simulated"),
    ("sim:launch-bound,noise=3", "noise"),
    ("sim:launch-bound,modes=1", "modes"),
    ("work:", "work:", "work:spin=100us"),
    ("work:nonsense", "work:nonsense", "work:spin=100us"),
    ("work:spin", "work:spin"),
    ("work:spin=", "work:spin"),
    ("work:spin=5", "work:spin", "no unit"),
    ("work:spin=-1us", "work:spin", "negative"),
    ("work:null=3", "work:null=3"),
)


# Words of other tools, and ours for them.
FOREIGN = (
    ("run sim:tiny --iterations 20", "strobe has no --iterations; use --requests N"),
    ("run sim:tiny --iters=20", "strobe has no --iters; use --requests N"),
    ("run sim:tiny --runs 20", "use --requests N"),
    ("run sim:tiny --duration 3", "use --min-time TIME or --max-time TIME"),
    ("run sim:tiny --warmup-iterations 3", "use --warmup N"),
    ("run sim:tiny --warmUp=200", "use --warmup"),
    ("run sim:tiny -b 8", "strobe has no -b; use --batch N"),
    ("run sim:tiny --bs 8", "use --batch N"),
    ("run sim:tiny --gpu", "use --device cuda"),
    ("run --model a.onnx", "strobe run MODEL"),
    ("throughput sim:tiny -b 8", "use --batches LIST"),
    ("bench sim:tiny", "strobe has no verb 'bench'; use strobe run MODEL"),
    ("benchmark sim:tiny", "use strobe run MODEL"),
)


class BadOption(ProgramTest):
    def test_an_empty_value_is_refused_not_ignored(self):
        for option in ("--device", "--pin", "--batch", "--max-time"):
            with self.subTest(option):
                self.complains(USAGE, ["run", "work:null", "--requests", "5", option, ""], "")

    def test_a_cpu_that_nobody_may_use(self):
        for cpus in ("99999", "fast"):
            with self.subTest(cpus):
                self.refused(USAGE, ["work:null", "--requests", "5", "--pin", cpus], f"--pin {cpus}", "no CPU that this process may use")

    def test_words_of_other_tools_are_answered_with_ours(self):
        for text, phrase in FOREIGN:
            with self.subTest(text):
                self.complains(USAGE, text.split(), phrase)

    def test_help_and_version_may_be_verbs(self):
        self.assertEqual(self.text("version"), self.text("--version"))
        self.assertEqual(self.text("help"), self.text("--help"))
        self.assertEqual(self.text("help", "run"), self.text("run", "--help"))

    def test_help_has_groups_and_examples(self):
        text = self.text("run", "--help")
        for heading in ("What to measure, and on what:", "How long:", "What else to measure:", "Where results go:",
                        "Examples:"):
            self.assertIn(f"\n{heading}\n", text)
        self.assertIn("  strobe run model.onnx", text)

    def test_the_verb_is_unknown_or_missing(self):
        self.complains(USAGE, ["rnu", "sim:tiny"], "rnu", "did you mean 'run'?")
        self.complains(USAGE, [], "strobe --help")
        self.complains(USAGE, ["--json", "r.json"], "--json")

    def test_the_model_is_missing(self):
        self.refused(USAGE, [], "MODEL", "strobe run --help")

    def test_an_option_of_run_is_wrong(self):
        for text, *phrases in OPTIONS:
            with self.subTest(text):
                self.refused(USAGE, ["sim:tiny", *text.split()], *phrases)

    def test_the_value_of_an_option_is_missing(self):
        for option in ("--requests", "--json", "--shape"):
            with self.subTest(option):
                self.refused(USAGE, ["sim:tiny", option], option, record=None)

    def test_a_word_behind_zoo_is_unknown(self):
        self.complains(USAGE, ["zoo", "pth", "resnet18"], "pth", "did you mean 'path'?")
        self.complains(USAGE, ["zoo", "path"], "NAME")

    def test_the_cpu_is_no_gpu(self):
        self.refused(CANNOT, ["work:null", "--device", "cuda:99"], "cuda")
        self.refused(USAGE, ["work:null", "--device", "nonsense"], "nonsense", "auto, cpu, cuda")

    def test_only_the_word_that_is_wrong_is_named(self):
        said = self.refused(USAGE, ["--bacth", "4", "sim:tiny"], "--bacth")
        self.assertNotIn("sim:tiny", said)


class BadSource(ProgramTest):
    def test_nothing_can_be_made_of_it(self):
        for model, *phrases in SOURCES:
            with self.subTest(model):
                self.refused(USAGE, [model], *phrases)
