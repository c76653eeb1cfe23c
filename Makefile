# The front door. Every target is one script or one CMake preset; the work itself lives there.
JOBS ?= $(shell nproc)
export JOBS

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-long bench format tidy clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install the Debian packages that are missing (nothing is done when all are there)
	@tools/setup.sh build test

build:  ## the program, optimised: build/release/quell
	@tools/setup.sh build
	cmake --preset release
	cmake --build --preset release --target quell quell-lab-faults -j $(JOBS)

demo: build  ## the collapse scenario over 100 seeds, a report, and a real 10 MB download (~5 min on a fresh machine)
	@tools/demo.sh

test:  ## all tests under ASan and UBSan, then speed, scenarios, interoperation on release (10 to 20 min from scratch)
	@tools/test.sh

test-long:  ## test, then all scenarios as declared, clang-tidy, hunts, oracles and fuzz targets (~2 h)
	@tools/test.sh
	@tools/test_long.sh

bench: build  ## 500 MiB over loopback beside ngtcp2, 7 rounds (under a minute once built)
	@tools/setup.sh test
	@python3 bench/transfer_bench.py

format:  ## rewrite C++ files in the house's format
	@tools/setup.sh test
	@tools/format.sh

tidy:  ## clang-tidy over the product (FILES='a.cc b.cc' for some)
	@tools/setup.sh long
	@tools/tidy.sh $(FILES)

clean:  ## remove build/
	rm -rf build
