# SPDX-License-Identifier: Apache-2.0
"""The commands: `build` writes ONNX files, `export` files for torch, `list` shows what there is.

Exit codes are Strobe's: 0 done, 2 usage, 3 could not build or write. Results on stdout, failures as one sentence on
stderr.
"""

import argparse
import difflib
import json
import sys
import time
from pathlib import Path

from zoo.catalogue import CLASSES, Catalogue, Entry, read_catalogue
from zoo.pretrained import NoWeights

USAGE, FAILED = 2, 3


def fail(code: int, sentence: str) -> int:
    print(f"zoo: {sentence}", file=sys.stderr)
    return code


def unknown(name: str, catalogue: Catalogue) -> str:
    nearest = difflib.get_close_matches(name, catalogue.entries, n=1, cutoff=0.4)
    hint = f"; did you mean '{nearest[0]}'?" if nearest else "."
    return f"there is no network '{name}'{hint} Known: {', '.join(catalogue.entries)}."


def run_build(catalogue: Catalogue, names: list[str], out: Path, force: bool, seed: int, classes: int) -> int:
    for name in names:
        if name not in catalogue.entries:
            return fail(USAGE, unknown(name, catalogue))
    try:
        from zoo import build  # here, so that listing needs no packages
    except ModuleNotFoundError as error:
        return fail(FAILED, f"cannot build: the Python package '{error.name}' is missing. "
                            f"Install it: {sys.executable} -m pip install onnx numpy")
    width = max(map(len, catalogue.entries))
    for name in names or catalogue.entries:
        entry = catalogue.entries[name].with_classes(classes)
        path = out / entry.file_name
        begin = time.monotonic()
        if not force and build.is_current(path, build.metadata(entry, catalogue.version, seed)):
            print(f"{name:{width}}  up to date  {path}", flush=True)
            continue
        try:
            build.write(build.build(catalogue, name, seed, classes), path)
        except OSError as error:
            return fail(FAILED, f"cannot write '{path}': {error.strerror}. Name a folder you can write to with --out.")
        took = time.monotonic() - begin
        print(f"{name:{width}}  {megabytes(path.stat().st_size)} in {took:.1f} s  {path}", flush=True)
    return 0


def run_export(catalogue: Catalogue, options: argparse.Namespace) -> int:
    if options.name not in catalogue.entries:
        return fail(USAGE, unknown(options.name, catalogue))
    if options.weights and options.classes != CLASSES:
        return fail(USAGE, f"cannot use --weights with --classes {options.classes}: pretrained networks have {CLASSES} "
                           f"classes.")
    try:
        import torchvision  # noqa: F401
        from zoo import export  # here, so that nothing else needs torch
    except (ImportError, OSError) as error:  # the package is missing, or its libraries are
        reason = f"the Python package '{error.name}' is missing" if isinstance(error, ModuleNotFoundError) else error
        return fail(FAILED, f"cannot export: {str(reason).splitlines()[0]}. "
                            f"Set STROBE_PYTHON to an interpreter that has torch and torchvision.")
    if options.device == "cuda" and options.format == "pt2" and not export.torch.cuda.is_available():
        return fail(FAILED, "cannot compile for cuda: torch finds no GPU here.")
    entry = catalogue.entries[options.name].with_classes(options.classes)
    path = (options.out or Path(entry.file_name).with_suffix(f".{options.format}")).absolute()
    try:
        weights = export.find_weights(entry, options.weights) if options.weights else None
    except (NoWeights, OSError) as error:
        return fail(FAILED, str(error))
    try:
        export.export(entry, options.format, options.device, options.batch_max, options.seed, weights, path)
    except OSError as error:
        return fail(FAILED, f"cannot write '{path}': {error.strerror}. Name another file with --out.")
    except Exception as error:  # torch's own, of any kind
        return fail(FAILED, f"cannot export {entry.name}: {(str(error) or type(error).__name__).strip().splitlines()[0]}")
    print(path, flush=True)
    return 0


def megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


def file_size(entry: Entry, out: Path | None) -> int | None:
    """Of the file in `out`; nothing when it has not been built there."""
    path = out / f"{entry.name}.onnx" if out else None
    return path.stat().st_size if path and path.is_file() else None


def run_list(catalogue: Catalogue, out: Path | None, as_json: bool) -> int:
    sizes = {name: file_size(entry, out) for name, entry in catalogue.entries.items()}
    if as_json:
        models = [vars(entry) | {"estimated_bytes": entry.estimated_bytes, "file_bytes": sizes[name]}
                  for name, entry in catalogue.entries.items()]
        print(json.dumps({"version": catalogue.version, "models": models}, indent=2))
        return 0
    rows = [("name", "parameters", "default shape", "file size")]
    for name, entry in catalogue.entries.items():
        # Without a file the size is what the parameters will take.
        size = megabytes(sizes[name]) if sizes[name] is not None else f"~{megabytes(entry.estimated_bytes)}"
        rows.append((name, f"{entry.parameters:,}", entry.shape, size))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, parameters, shape, size in rows:
        print(f"{name:{widths[0]}}  {parameters:>{widths[1]}}  {shape:{widths[2]}}  {size:>{widths[3]}}")
    return 0


def seed_number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 up")
    return int(text)


def whole_number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 up")
    return int(text)


def parser() -> argparse.ArgumentParser:
    root = argparse.ArgumentParser(prog="zoo", description="The networks that come along with Strobe.")
    verbs = root.add_subparsers(dest="verb", required=True)
    build = verbs.add_parser("build", help="write the ONNX files of the named networks, or of all")
    build.add_argument("names", nargs="*", metavar="NAME")
    build.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the files; made if missing")
    build.add_argument("--force", action="store_true", help="write files that are up to date as well")
    build.add_argument("--classes", type=whole_number, default=CLASSES, metavar="N",
                       help="outputs of the last layer (default 1000); of another number the file is NAME_cN.onnx")
    build.add_argument("--seed", type=seed_number, default=0, metavar="N", help="seed of the weights (default 0)")
    export = verbs.add_parser("export", help="write a network for torch; needs torch and torchvision")
    export.add_argument("name", metavar="NAME")
    export.add_argument("--format", choices=["pt", "pt2"], required=True, help="TorchScript, or a compiled package")
    export.add_argument("--device", choices=["cpu", "cuda"], default="cpu", help="what a .pt2 is compiled for")
    export.add_argument("--out", type=Path, metavar="FILE", help="by default NAME.pt or NAME.pt2 in this folder")
    export.add_argument("--batch-max", type=whole_number, default=256, metavar="N", help="largest batch of a .pt2 (256)")
    export.add_argument("--classes", type=whole_number, default=CLASSES, metavar="N",
                        help="outputs of the last layer (default 1000)")
    export.add_argument("--weights", metavar="WORD",
                        help="pretrained ones from torchvision's cache: DEFAULT, or a name such as IMAGENET1K_V1")
    export.add_argument("--seed", type=seed_number, default=0, metavar="N", help="seed of the weights (default 0)")
    listing = verbs.add_parser("list", help="the networks, their parameters, default shapes and file sizes")
    listing.add_argument("--json", action="store_true", help="as JSON")
    listing.add_argument("--out", type=Path, metavar="DIR", help="take sizes from the files in this folder")
    return root


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    catalogue = read_catalogue()
    try:
        if options.verb == "list":
            return run_list(catalogue, options.out, options.json)
        if options.verb == "export":
            return run_export(catalogue, options)
        return run_build(catalogue, options.names, options.out, options.force, options.seed,
                         options.classes)
    except KeyboardInterrupt:
        return 130
