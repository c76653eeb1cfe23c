#!/usr/bin/env bash
# What takes too long for every change: every scenario as declared, clang-tidy over everything, ten minutes of hunting in each sound controller, 10,000 lives
# beside the oracles, each fuzz target for a minute.
set -euo pipefail
cd "$(dirname "$0")/.."
tools/setup.sh build long
seconds=${FUZZ_SECONDS:-60}
failed=0
tools/tidy.sh || failed=1
cmake --preset release >/dev/null
cmake --build --preset release --target quell quell-lab-faults -j "${JOBS:-$(nproc)}"
ctest --preset release -C long -L declared --no-tests=error || failed=1
python3 test/sim/test_hunt.py --long || failed=1

# CUBIC beside its oracle, HyStart++ beside its text, undo beside the unbroken history: a hundred times as often.
RC_PARAMS=max_success=10000 build/dev/quell_cc_test --gtest_filter='CubicOracle.*:HyStart.*:Undo.*' --gtest_brief=1 || failed=1

names=()
for source in test/fuzz/*_fuzz.cc; do
  name=$(basename "$source" _fuzz.cc)
  names+=("$name")
done
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "${names[@]/#/fuzz_}" -j "${JOBS:-$(nproc)}"
for name in "${names[@]}"; do
  found=build/fuzz/corpus/$name  # what this machine has found so far; the seeds stay as they are
  mkdir -p "$found"
  echo "test-long: fuzz_$name for $seconds s"
  if build/fuzz/test/fuzz/fuzz_"$name" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/$name-" "$found" test/fuzz/corpus/"$name" >build/fuzz/"$name".log 2>&1; then
    grep stat:: build/fuzz/"$name".log
  else
    tail -n 60 build/fuzz/"$name".log
    failed=1
  fi
done
exit $failed
