# SPDX-License-Identifier: Apache-2.0
# Thin names for scripts/ and the CMake presets. ARGS goes to ctest or clang-tidy: make test ARGS='-R Quantile'
.DEFAULT_GOAL := help
.PHONY: help setup tools build torch openvino zoo demo experiments wheel test dev test-python test-torch test-openvino test-browser test-slow test-asan test-tsan test-gpu fuzz bench format \
        check-format check-includes check-alone tidy clean install

PREFIX ?= /usr/local
ARGS ?=
export STROBE_ZOO := $(CURDIR)/build/release/share/strobe/zoo
make_zoo = .venv/bin/python -m zoo build --out '$(STROBE_ZOO)'

help: ## this list
	@echo 'make TARGET, where TARGET is one of'
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "  %-15s %s\n", $$1, $$2}'

setup: ## install what the build needs (apt packages, .venv, headers); NO_APT=1 only says what is missing
	@scripts/setup

tools: # clang-format and clang-tidy
	@scripts/setup tools

build: setup ## build/release/bin/strobe
	cmake --preset release
	cmake --build --preset release

torch: setup ## build/release with the torch plugin; fetches torch (530 MB)
	@scripts/setup torch
	cmake --preset release
	cmake --build --preset release

openvino: setup ## build/release with the openvino plugin; fetches OpenVINO (60 MB)
	@scripts/setup openvino
	cmake --preset release
	cmake --build --preset release

zoo: setup ## write all models of the zoo to build/release/share/strobe/zoo
	$(make_zoo)

demo: build ## set up, build, measure resnet18 on the CPU, and make a page of the result
	$(make_zoo) resnet18
	build/release/bin/strobe run zoo:resnet18 --device cpu --effort quick --export build/demo.html
	@echo 'the same as a page: $(CURDIR)/build/demo.html'

experiments: build ## the well-known experiments on this machine, CPU or GPU, and a page with all of them; QUICK=1: fewer requests
	$(make_zoo) resnet18 mobilenet_v3_large mobilenet_v3_small
	scripts/experiments $(ARGS)

test: setup ## set up, build and run the tests
	$(make_zoo) resnet18 mobilenet_v3_small
	scripts/test test $(ARGS)

dev: setup ## the same tests from build/dev, which compiles only what changed
	$(make_zoo) resnet18 mobilenet_v3_small
	scripts/test dev $(ARGS)

test-torch: setup ## the tests of the torch plugin; fetches torch (530 MB)
	@scripts/setup torch
	scripts/test torch $(ARGS)

test-openvino: setup ## the tests of the openvino plugin; fetches OpenVINO (60 MB)
	@scripts/setup openvino
	$(make_zoo) mobilenet_v3_small
	scripts/test openvino $(ARGS)

wheel: build ## dist/strobe_bench-*.whl: the Python module, the program and the plugins
	@scripts/setup wheel
	scripts/wheel

test-python: wheel ## the tests of the Python module with the wheel, in a fresh environment
	$(make_zoo) mobilenet_v3_small
	scripts/test-python
	$(if $(ARGS),scripts/test-python $(ARGS))

test-browser: setup ## the pages in a browser; installs Debian's chromium
	@scripts/setup browser
	scripts/test browser $(ARGS)

test-slow: setup ## the acceptance tests of the statistics, which take minutes
	scripts/test slow $(ARGS)

test-asan: setup ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer; installs clang
	@scripts/setup clang
	$(make_zoo) resnet18 mobilenet_v3_small
	scripts/test asan $(ARGS)

test-tsan: setup ## the tests with threads under ThreadSanitizer
	scripts/test tsan $(ARGS)

test-gpu: ## the tests that need a GPU, from a build that may come from another machine
	scripts/test-gpu

fuzz: setup ## every parser under libFuzzer for 10 s each; ARGS=5: for 5 s
	@scripts/setup clang
	scripts/fuzz $(ARGS)

bench: setup ## run the benchmarks
	cmake --preset bench
	cmake --build --preset bench

format: tools ## format the C++ files in place
	scripts/format

check-format: tools ## fail when a C++ file is not formatted
	scripts/format --check

check-includes: ## fail when a folder of src/ uses a later one
	scripts/check-includes

check-alone: setup ## fail when a source or a header does not compile by itself
	cmake --preset dev
	scripts/check-alone $(ARGS)

tidy: setup tools ## clang-tidy on what changed since it last passed; ARGS names other files
	cmake --preset dev
	scripts/tidy $(ARGS)

clean: ## remove the build folders; .venv and the fetched headers stay
	rm -rf dist build/release build/dev build/test build/wheel build/test-python build/torch build/torch-models build/torch-stand-ins build/browser build/slow build/asan build/tsan

install: ## install build/release under PREFIX (/usr/local)
	@test -x build/release/bin/strobe || { echo 'nothing is built yet: run make build first' >&2; exit 2; }
	cmake --install build/release --prefix '$(PREFIX)'
