#!/usr/bin/env bash
# What does quell do, in two minutes? The collapse scenario over 100 seeds with its report, then a real download.
set -euo pipefail
cd "$(dirname "$0")/.."
quell=build/release/quell
out=build/demo
report=$out/report.html
mkdir -p $out/www $out/got

cat <<'E2'

1. The laboratory: a 10 MB download, 30 % loss both ways for its first two seconds, over 100 seeds, in virtual time.
   cubic and reno must recover; cubic-quiche-2020, the historic fault, is expected to stay at its smallest window.

E2
# Exit code 0: every expectation was met, the one that the specimen fails included.
$quell lab run collapse-recovery --cc cubic,reno,cubic-quiche-2020 --seeds 100 --report $report

cat <<'E2'

2. The stack: 10 MB over HTTP/3 between two processes on loopback, with the certificate checked by nobody (--insecure).

E2
head -c 10000000 /dev/urandom >$out/www/random.bin
port=$((20000 + RANDOM % 20000))
$quell serve --dev --listen 127.0.0.1:$port --root $out/www >$out/serve.log 2>&1 </dev/null &
server=$!
trap 'kill $server 2>/dev/null || true' EXIT

is_listening() { grep -qi ":$(printf %04x "$port") " /proc/net/udp; }
for _ in $(seq 100); do
  is_listening && break
  kill -0 $server 2>/dev/null || { cat $out/serve.log >&2; exit 1; }
  sleep 0.05
done

$quell get --insecure -o $out/got/random.bin "https://127.0.0.1:$port/random.bin"
kill -TERM $server
wait $server
trap - EXIT

sent=$(sha256sum <$out/www/random.bin)
got=$(sha256sum <$out/got/random.bin)
echo "   sent ${sent%% *}"
echo "   got  ${got%% *}"
[ "$sent" = "$got" ] || { echo "demo: the checksums differ" >&2; exit 1; }

cat <<E2

Both worked. The report, with each controller's window, losses and progress (opens from the file, needs no network):
   file://$PWD/$report
E2
