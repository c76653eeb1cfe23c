#!/usr/bin/env bash
# What does clang-tidy say? Of the files named, or of every source of the product: the tests, with GoogleTest and RapidCheck
# in them, take it 50 s each.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f build/dev/compile_commands.json ] || cmake --preset dev >/dev/null
if [ $# -eq 0 ]; then mapfile -d '' -t files < <(find quell -name '*.cc' ! -name '*_test.cc' -print0 | sort -z); else files=("$@"); fi
# The compile commands are g++'s; clang does not know all of its warnings.
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "${JOBS:-$(nproc)}" clang-tidy-19 --quiet -p build/dev --extra-arg=-Wno-unknown-warning-option
