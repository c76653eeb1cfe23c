#!/usr/bin/env bash
# What takes too long for every change: clang-tidy over everything, and each fuzz target for a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh build long
seconds=${FUZZ_SECONDS:-60}
failed=0
tools/tidy.sh || failed=1

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz -j "${JOBS:-$(nproc)}"
ctest --test-dir build/fuzz -N -L fuzz >/dev/null
for target in build/fuzz/test/fuzz/fuzz_*; do
  [ -x "$target" ] && [ -f "$target" ] || continue
  name=$(basename "$target")
  found=build/fuzz/corpus/$name
  mkdir -p "$found"
  echo "test-long: $name for $seconds s"
  seed_corpus=test/fuzz/corpus/${name#fuzz_}
  [ -d "$seed_corpus" ] || seed_corpus=""
  "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$name-" "$found" $seed_corpus 2>&1 | tail -n 12 || failed=1
done
exit $failed
