#!/usr/bin/env python3
"""How fast does quell move a file, and at what cost? Beside ngtcp2, on loopback, one connection, in the same run.

Each round starts a fresh server and client of every pair in turn, so that a noisy minute hits all of them alike; the
table shows medians. Wall time is the client's life, start and handshake included; CPU is user plus system time of each
process; peak memory is the largest resident set. MB and GB are powers of ten. The body is made up by the server and
thrown away by the client; with --file it is a file that both servers read from the page cache.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import select
import signal
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "test"))
from support import peers  # noqa: E402

MIB = 1 << 20
WANTED_SPEED, WANTED_CPU = 2.0, 0.5  # quell's MB/s and total CPU, as multiples of ngtcp2's


@dataclasses.dataclass
class Usage:
    cpu_s: float
    peak_mib: float


class Watched:
    """A child whose CPU time and memory are known when it has ended."""

    def __init__(self, command, log):
        self.peak_kib = 0
        with open(log, "wb") as output:
            self.pid = os.posix_spawnp(str(command[0]), [str(word) for word in command], os.environ, file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_DUP2, output.fileno(), 1), (os.POSIX_SPAWN_DUP2, output.fileno(), 2)])
        self.handle = os.pidfd_open(self.pid)

    def read_peak(self):
        # Not ru_maxrss: it begins with the size of the Python that the child was forked from.
        try:
            with open(f"/proc/{self.pid}/status") as status:
                peaks = [int(line.split()[1]) for line in status if line.startswith("VmHWM:")]
        except OSError:
            return
        self.peak_kib = max([self.peak_kib, *peaks])

    def wait(self, seconds):
        """Waits for the end; gives the exit code and the usage."""
        poll = select.poll()
        poll.register(self.handle, select.POLLIN)
        deadline = time.monotonic() + seconds
        while not poll.poll(20):
            self.read_peak()
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
        self.ended_at = time.monotonic()
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self.handle)
        return os.waitstatus_to_exitcode(status), Usage(usage.ru_utime + usage.ru_stime, self.peak_kib / 1024)

    def end(self):
        self.read_peak()
        os.kill(self.pid, signal.SIGTERM)
        return self.wait(10)


def commands(stack, port, shop, size, from_file, cc):
    """Server and client of one stack."""
    pki, root = shop.pki, shop.www
    name = "body.bin" if from_file else str(size)
    url = f"https://localhost:{port}/{name}"
    if stack == "quell":
        program = peers.quell_program()
        source = ["--root", root] if from_file else ["--generate"]
        return ([program, "serve", "--listen", f"127.0.0.1:{port}", "--cert", pki.cert, "--key", pki.key, "--cc", cc, *source],
                [program, "get", "--ca", pki.ca, "--cc", cc, "--discard", url])
    quiet = ["-q", "--no-quic-dump", "--no-http-dump", f"--cc={cc}"]
    return (["gtlsserver", *quiet, f"--max-dyn-length={size}", "-d", root, "127.0.0.1", port, pki.key, pki.cert],
            ["gtlsclient", *quiet, "--exit-on-all-streams-close", "127.0.0.1", port, url])


def one_round(stack, shop, size, from_file, cc):
    port = peers.free_port()
    server_command, client_command = commands(stack, port, shop, size, from_file, cc)
    server = Watched(server_command, shop.folder / "server.log")
    try:
        while not peers.is_udp_bound(port):
            if os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                raise peers.Failure(f"{stack}'s server ended:\n{(shop.folder / 'server.log').read_text()}")
            time.sleep(0.01)
        start = time.monotonic()
        client = Watched(client_command, shop.folder / "client.log")
        code, client_usage = client.wait(300)
        if code:
            raise peers.Failure(f"{stack}'s client ended with {code}:\n{(shop.folder / 'client.log').read_text()}")
    finally:
        _, server_usage = server.end()
    seconds = client.ended_at - start
    gigabytes = size / 1e9
    return {"mb_per_s": size / 1e6 / seconds, "server_cpu_s_per_gb": server_usage.cpu_s / gigabytes,
            "client_cpu_s_per_gb": client_usage.cpu_s / gigabytes, "server_peak_mib": server_usage.peak_mib,
            "client_peak_mib": client_usage.peak_mib}


def medians(rounds):
    result = {key: statistics.median(r[key] for r in rounds) for key in rounds[0]}
    result["cpu_s_per_gb"] = statistics.median(r["server_cpu_s_per_gb"] + r["client_cpu_s_per_gb"] for r in rounds)
    return result


def tell(results, stacks):
    print(f"\n{'':8} {'MB/s':>7} {'(min-max)':>12} {'server':>8} {'client':>8} {'both':>8} {'server':>8} {'client':>8}\n"
          f"{'':8} {'':>7} {'':>12} {'CPU-s/GB':>8} {'CPU-s/GB':>8} {'CPU-s/GB':>8} {'peak MiB':>8} {'peak MiB':>8}")
    for stack in stacks:
        m = results[stack]["median"]
        speeds = [r["mb_per_s"] for r in results[stack]["rounds"]]
        spread = f"({min(speeds):.0f}-{max(speeds):.0f})"
        print(f"{stack:8} {m['mb_per_s']:7.0f} {spread:>12} {m['server_cpu_s_per_gb']:8.2f} "
              f"{m['client_cpu_s_per_gb']:8.2f} {m['cpu_s_per_gb']:8.2f} {m['server_peak_mib']:8.1f} "
              f"{m['client_peak_mib']:8.1f}")


def tell_ratios(results):
    ours, theirs = results["quell"]["median"], results["ngtcp2"]["median"]
    speed, cpu = ours["mb_per_s"] / theirs["mb_per_s"], ours["cpu_s_per_gb"] / theirs["cpu_s_per_gb"]
    print(f"\nquell to ngtcp2: {speed:.2f} x the MB/s (wanted: at least {WANTED_SPEED}), "
          f"{cpu:.2f} x the CPU (wanted: at most {WANTED_CPU})")
    results["ratio"] = {"mb_per_s": speed, "cpu_s_per_gb": cpu}
    return speed >= WANTED_SPEED and cpu <= WANTED_CPU


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--mib", type=int, default=500, help="size of the body")
    parser.add_argument("--cc", default="cubic", help="congestion controller of both stacks")
    parser.add_argument("--file", action="store_true", help="serve a file instead of a body that the server makes up")
    parser.add_argument("--stack", action="append", choices=["quell", "ngtcp2"], help="only this one (may be repeated)")
    parser.add_argument("--json", metavar="F", help="write all rounds and medians there; - is standard output")
    parser.add_argument("--check", action="store_true", help="exit 1 when quell misses what is wanted")
    arguments = parser.parse_args()
    stacks = arguments.stack or ["quell", "ngtcp2"]
    size = arguments.mib * MIB
    results = {stack: {"rounds": []} for stack in stacks}
    to_person = sys.stderr if arguments.json == "-" else sys.stdout

    with peers.Workshop() as shop:
        if arguments.file:
            shop.add_file("body.bin", size)
        for number in range(arguments.rounds):
            for stack in stacks:
                done = one_round(stack, shop, size, arguments.file, arguments.cc)
                results[stack]["rounds"].append(done)
                print(f"round {number + 1}/{arguments.rounds}: {stack:6} {done['mb_per_s']:6.0f} MB/s", file=to_person, flush=True)
    for stack in stacks:
        results[stack]["median"] = medians(results[stack]["rounds"])
    good = True
    if arguments.json != "-":
        print(f"{arguments.mib} MiB, one connection over loopback, {arguments.cc}, {os.cpu_count()} cores, "
              f"medians of {arguments.rounds} interleaved rounds", end="")
        tell(results, stacks)
        if len(stacks) == 2:
            good = tell_ratios(results)
    if arguments.json:
        text = json.dumps({"mib": arguments.mib, "cc": arguments.cc, "stacks": results}, indent=1) + "\n"
        sys.stdout.write(text) if arguments.json == "-" else pathlib.Path(arguments.json).write_text(text)
    return 0 if good or not arguments.check else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except peers.Failure as failure:
        sys.exit(f"transfer_bench: {failure}")
