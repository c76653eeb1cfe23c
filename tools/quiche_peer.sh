#!/usr/bin/env bash
# Is Cloudflare's quiche here as a test peer? Installs it from npm into build/peers/quiche, once.
set -euo pipefail
cd "$(dirname "$0")/.."
peer=test/interop/quiche
into=build/peers/quiche
[ "$(uname -m)" = x86_64 ] || exit 0  # the package has no other build; the tests skip themselves
if ! cmp -s $peer/package-lock.json $into/package-lock.json || [ ! -d $into/node_modules ]; then
  mkdir -p $into
  cp $peer/package.json $peer/package-lock.json $into/
  echo "setup: installing quiche from npm (a few seconds, once)"
  (cd $into && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error --fetch-retries=1 </dev/null) ||
    { rm -f $into/package-lock.json; exit 1; }
fi
