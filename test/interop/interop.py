#!/usr/bin/env python3
"""Do other stacks understand us? Files travel between quell and stacks that we did not write, both ways, by checksum.

  interop.py --list        the names of all cases
  interop.py CASE...       run these (all when none is named); $QUELL names another program than build/release/quell
  interop.py --keep CASE   keep the case's folder, logs and files included

A case is a pair of ends and a load, joined: ngtcp2-to-quell.retry is quell get <- ngtcp2's server that asks for Retry.
Pairs without quell check the harness itself; run them by name.
"""
import argparse
import dataclasses
import pathlib
import sys
import time
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import peers  # noqa: E402
from support.peers import Options  # noqa: E402

MB = 1000 * 1000
SKIPPED = 77  # the exit code that ctest takes for it

# name: (sizes of the files that are fetched at once, what is asked of both ends)
LOADS = {
    "1-byte": ([1], Options()),
    "1-mb": ([MB], Options()),
    "100-mb": ([100 * MB], Options()),
    "100-files": ([100 + 37 * i for i in range(100)], Options()),
    "retry": ([MB], Options(retry=True, verbose=True)),
    "chacha": ([MB], Options(chacha=True, verbose=True)),
    "key-update-by-client": ([20 * MB], Options(key_update="client", verbose=True)),
    "key-update-by-server": ([20 * MB], Options(key_update="server", verbose=True)),
    "loss": ([5 * MB], Options(loss=0.05)),
}

# name: (server, client)
PAIRS = {
    "ngtcp2-to-quell": (peers.Ngtcp2Server, peers.QuellClient),
    "quell-to-ngtcp2": (peers.QuellServer, peers.Ngtcp2Client),
    "caddy-to-quell": (peers.CaddyServer, peers.QuellClient),
    "quiche-to-quell": (peers.QuicheServer, peers.QuellClient),
    "quell-to-quiche": (peers.QuellServer, peers.QuicheClient),
    "quell-to-quell": (peers.QuellServer, peers.QuellClient),
}
HARNESS_PAIRS = {
    "ngtcp2-to-ngtcp2": (peers.Ngtcp2Server, peers.Ngtcp2Client),
    "caddy-to-ngtcp2": (peers.CaddyServer, peers.Ngtcp2Client),
    "quiche-to-ngtcp2": (peers.QuicheServer, peers.Ngtcp2Client),
    "ngtcp2-to-quiche": (peers.Ngtcp2Server, peers.QuicheClient),
    "quiche-to-quiche": (peers.QuicheServer, peers.QuicheClient),
}


@dataclasses.dataclass(frozen=True)
class Case:
    server: type
    client: type
    sizes: list
    options: Options


def can(pair, sizes, options):
    """Can this pair carry this load? Retry and who begins a key update are one end's matter, loss is either's."""
    server, client = pair
    if len(sizes) > 1 and "many" in server.cannot | client.cannot:
        return False
    for need in options.needs():
        at_server, at_client = need not in server.cannot, need not in client.cannot
        doable = {"retry": at_server, "key_update by server": at_server, "key_update by client": at_client,
                  "chacha": at_server or at_client, "loss": at_server or at_client}[need]
        if not doable:
            return False
    return True


def all_cases(pairs):
    return {f"{pair_name}.{load_name}": Case(*pair, sizes, options)
            for pair_name, pair in pairs.items()
            for load_name, (sizes, options) in LOADS.items() if can(pair, sizes, options)}


def run_case(case, shop):
    names = [shop.add_file(f"file-{i}.bin", size) for i, size in enumerate(case.sizes)]
    client = case.client(shop, case.options)
    with case.server(shop, case.options) as server:
        client.fetch(server.port, names)
        shop.check_downloads(names)
        client.check_proof()
        server.check_proof(names)
    server.check_end()


def tell_logs(shop):
    for log in ("client.log", "server.log"):
        path = shop.folder / log
        if path.exists():
            lines = path.read_text(errors="replace").splitlines()
            print(f"--- the last lines of {log}:", *lines[-25:], sep="\n")


def run_named(name, case, keep):
    print(f"{name}: to run it alone: {pathlib.Path(__file__).resolve()} {name}", flush=True)
    start = time.monotonic()
    with peers.Workshop(keep) as shop:
        try:
            run_case(case, shop)
        except peers.Absent as reason:
            print(f"{name}: skipped: {reason}")
            return None
        except Exception as problem:
            print(f"{name}: FAILED: {problem}")
            if not isinstance(problem, peers.Failure):
                traceback.print_exc(file=sys.stdout)
            tell_logs(shop)
            return False
    print(f"{name}: ok, {time.monotonic() - start:.2f} s", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("case", nargs="*")
    arguments = parser.parse_args()
    cases = all_cases(PAIRS)
    if arguments.list:
        print("\n".join(cases))
        return 0
    known = cases | all_cases(HARNESS_PAIRS)
    for name in arguments.case:
        if name not in known:
            parser.error(f"no case '{name}'; --list shows all")
    results = [run_named(name, known[name], arguments.keep) for name in arguments.case or cases]
    if False in results:
        return 1
    return SKIPPED if set(results) == {None} else 0


if __name__ == "__main__":
    sys.exit(main())
