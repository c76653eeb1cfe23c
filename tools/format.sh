#!/usr/bin/env bash
# Are all C++ files in the house's format? Rewrites them; with --check it only says which are not.
set -euo pipefail
cd "$(dirname "$0")/.."
action=-i
if [ "${1:-}" = --check ]; then action="--dry-run -Werror"; fi
find quell test bench examples -name node_modules -prune -o \( -name '*.cc' -o -name '*.h' \) -print0 |
  xargs -0 -r -n 16 -P "${JOBS:-$(nproc)}" clang-format-19 $action
