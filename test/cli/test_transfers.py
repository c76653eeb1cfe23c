#!/usr/bin/env python3
"""Do serve and get move files whole, many at once, in parts, and stop in good order?

  test_transfers.py               all
  test_transfers.py -k Shutdown   some; $QUELL names another program than build/release/quell
"""
import os
import pathlib
import pty
import re
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import peers  # noqa: E402

FINE, FAILED, USAGE = 0, 1, 2


class Transfers(unittest.TestCase):
    def setUp(self):
        self.shop = self.enterContext(peers.Workshop())

    def serve(self, *more, root=True):
        server = peers.QuellServer(self.shop)
        source = ["--root", self.shop.www] if root else []
        command = [peers.quell_program(), "serve", "--listen", f"127.0.0.1:{server.port}", "--cert", self.shop.pki.cert,
                   "--key", self.shop.pki.key, *source, *more]
        server.command = lambda: command
        return self.enterContext(server)

    def url(self, server, name):
        return f"https://localhost:{server.port}/{name}"

    def get(self, *arguments):
        command = [peers.quell_program(), "get", "--ca", self.shop.pki.ca, *arguments]
        return subprocess.run([str(word) for word in command], capture_output=True, stdin=subprocess.DEVNULL, timeout=120,
                              cwd=self.shop.downloads)


class Files(Transfers):
    def test_sizes_by_checksum(self):
        names = [self.shop.add_file(f"{size}.bin", size) for size in (0, 1, 1_000_000, 100_000_000)]
        server = self.serve()
        for name in names:
            with self.subTest(name):
                done = self.get("-o", name, self.url(server, name))
                self.assertEqual(done.returncode, FINE, done.stderr)
        self.shop.check_downloads(names)

    def test_a_hundred_files_at_once_on_one_connection(self):
        names = [self.shop.add_file(f"{i}.bin", 10_000 + i * 1000) for i in range(100)]
        server = self.serve("-v")
        done = self.get("-O", *(self.url(server, name) for name in names))
        self.assertEqual(done.returncode, FINE, done.stderr)
        self.shop.check_downloads(names)
        self.assertEqual(server.process.stop(), FINE)
        self.assertEqual(server.process.text().count(" closed"), 1, "more than one connection was used")

    def test_every_controller_and_retry_and_generated_bytes(self):
        server = self.serve("--generate", "--retry")
        for cc in ("reno", "cubic"):
            with self.subTest(cc):
                done = self.get("--cc", cc, self.url(server, 300_000))
                self.assertEqual(done.returncode, FINE, done.stderr)
                self.assertEqual(len(done.stdout), 300_000)

    def test_the_root_is_its_index(self):
        (self.shop.www / "index.html").write_text("home")
        done = self.get(self.url(self.serve(), ""))
        self.assertEqual((done.returncode, done.stdout), (FINE, b"home"))

    def test_one_missing_of_three_fails_and_the_others_arrive(self):
        names = [self.shop.add_file(name, 5000) for name in ("a", "b")]
        server = self.serve()
        done = self.get("-O", self.url(server, "a"), self.url(server, "missing"), self.url(server, "b"))
        self.assertEqual(done.returncode, FAILED)
        self.assertIn(b"404", done.stderr)
        self.shop.check_downloads(names)
        self.assertEqual(sorted(path.name for path in self.shop.downloads.iterdir()), names)

    def test_a_log_per_connection_is_written_at_both_ends(self):
        folder = self.shop.folder / "qlog"
        server = self.serve("--generate", "--qlog", folder / "server")
        done = self.get("--discard", "--qlog", folder / "client", self.url(server, 100_000))
        self.assertEqual(done.returncode, FINE, done.stderr)
        self.assertEqual(server.process.stop(), FINE)
        for side in ("server", "client"):
            log, = (folder / side).iterdir()
            self.assertIn("packet_sent", log.read_text())


class Terminal(Transfers):
    def errors_on_terminal(self, *arguments):
        main, side = pty.openpty()
        with subprocess.Popen([peers.quell_program(), "get", "--ca", self.shop.pki.ca, "--discard", *arguments],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=side) as child:
            os.close(side)
            said = b""
            while True:
                try:
                    part = os.read(main, 4096)
                except OSError:  # Linux's way to say that the other side is closed
                    break
                if not part:
                    break
                said += part
            os.close(main)
            self.assertEqual(child.wait(30), FINE, said)
        return said

    def test_a_bar_on_a_terminal_and_none_in_a_pipe(self):
        server = self.serve("--generate")
        url = self.url(server, 50_000_000)
        self.assertIn(b"MB/s", self.errors_on_terminal(url))
        self.assertIn(b"\x1b[K", self.errors_on_terminal(url))
        done = self.get("--discard", url)
        self.assertNotIn(b"\r", done.stderr)
        self.assertEqual(self.get("-q", "--discard", url).stderr, b"")


class Shutdown(Transfers):
    def test_a_signal_lets_a_running_download_finish(self):
        server = self.serve("--generate")
        size = 1_500_000_000
        with peers.Process([peers.quell_program(), "get", "--ca", self.shop.pki.ca, "--discard", self.url(server, size)],
                           self.shop.folder / "get.log") as client:
            time.sleep(0.5)
            self.assertIsNone(client.child.poll(), "the download was over too early to test anything: " + client.text())
            server.process.child.send_signal(signal.SIGTERM)
            self.assertEqual(client.child.wait(60), FINE, client.text())
            self.assertIn(str(size), client.text())
        self.assertEqual(server.process.child.wait(10), FINE, server.process.text())

    def test_an_interrupted_download_leaves_nothing(self):
        server = self.serve("--generate")
        with peers.Process([peers.quell_program(), "get", "--ca", self.shop.pki.ca, "-o", self.shop.downloads / "big",
                            self.url(server, 100_000_000_000)], self.shop.folder / "get.log") as client:
            time.sleep(0.3)
            client.child.send_signal(signal.SIGINT)
            self.assertEqual(client.child.wait(10), FAILED, client.text())
        self.assertEqual(list(self.shop.downloads.iterdir()), [])

    def test_a_deadline_of_the_users_is_kept(self):
        server = self.serve("--generate")
        start = time.monotonic()
        done = self.get("--discard", "--timeout", "0.5", self.url(server, 100_000_000_000))
        self.assertEqual(done.returncode, FAILED)
        self.assertIn(b"--timeout", done.stderr)
        self.assertLess(time.monotonic() - start, 10)


class Dev(Transfers):
    def test_a_throw_away_certificate_says_how_to_trust_it(self):
        (self.shop.www / "index.html").write_text("home")
        with subprocess.Popen([peers.quell_program(), "serve", "--dev", "--listen", "127.0.0.1:0", "--root", self.shop.www],
                              stdout=subprocess.PIPE, text=True) as server:
            self.assertIn("https://127.0.0.1:", server.stdout.readline())
            ca, url = re.search(r"--ca (\S+) (\S+)", server.stdout.readline()).groups()
            done = subprocess.run([peers.quell_program(), "get", "--ca", ca, url], capture_output=True, text=True, timeout=30)
            self.assertEqual((done.returncode, done.stdout), (FINE, "home"), done.stderr)
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(10), FINE)
            self.assertFalse(pathlib.Path(ca).exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
