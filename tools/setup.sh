#!/usr/bin/env bash
# Which packages does quell need, and are they here? Installs what is missing, by apt-get, and says so first.
#
#   tools/setup.sh GROUP...     build: compile everything    test: run the tests and benchmarks, too
#                               long: clang-tidy and the fuzz targets
set -euo pipefail
cd "$(dirname "$0")/.."

build="g++ cmake ninja-build pkg-config libgnutls28-dev libnghttp3-dev libcli11-dev libfmt-dev libtomlplusplus-dev
  libsimdjson-dev nlohmann-json3-dev libjs-dygraphs libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev"
test="python3 openssl parallel clang-format-19 ngtcp2-server ngtcp2-client caddy"
long="clang-19 clang-tidy-19 libclang-rt-19-dev"

# Intel's library exists for this architecture only; elsewhere GnuTLS seals the packets.
if [ "$(dpkg --print-architecture)" = amd64 ]; then build+=" libipsec-mb-dev"; fi
# A machine may have Node.js from elsewhere, which brings its own npm and conflicts with Debian's.
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then test+=" nodejs npm"; fi

[ $# -gt 0 ] || set -- build test
wanted=""
for group in "$@"; do
  case "$group" in
    build | test | long) wanted+=" ${!group}" ;;
    *) echo "setup: no group '$group'; there are build, test and long" >&2; exit 2 ;;
  esac
done

is_installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
missing=""
for package in $wanted; do is_installed "$package" || missing+=" $package"; done

if [ -n "$missing" ]; then
  as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "setup: root or sudo is needed to install:$missing" >&2; exit 1; }
    as_root=sudo
  fi
  echo "setup: installing$missing (one to five minutes, once)"
  start=$SECONDS
  log=$(mktemp)
  if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive \
           apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    echo "setup: apt-get failed; the whole log is $log" >&2
    exit 1
  fi
  rm -f "$log"
  echo "setup: done in $((SECONDS - start)) s"
fi
