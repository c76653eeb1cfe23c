#!/usr/bin/env bash
# Does everything hold? Every test on the dev build (ASan, UBSan), then speed, scenarios and interoperation on the release build.
# The last line is the sum of both.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
tools/setup.sh build test
tools/quiche_peer.sh || echo "test: quiche cannot be had here; its cases are skipped"

for preset in dev release; do
  cmake --preset "$preset" >/dev/null
  start=$SECONDS
  if [ "$preset" = dev ]; then targets=all; else targets="quell quell-lab-faults"; fi
  # shellcheck disable=SC2086
  cmake --build --preset "$preset" --target $targets -j "$jobs"
  echo "test: built $preset in $((SECONDS - start)) s"
done

failed=0
run() {  # PRESET, then arguments of ctest
  local preset=$1
  shift
  ctest --preset "$preset" -j "$jobs" --no-tests=error --output-junit junit.xml "$@" || failed=1
}
run dev -LE 'speed|scenario'
run release -L 'speed|scenario|interop'

python3 tools/count_tests.py build/dev/junit.xml build/release/junit.xml || failed=1
exit $failed
