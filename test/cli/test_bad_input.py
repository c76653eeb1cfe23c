#!/usr/bin/env python3
"""What does quell say when it is given something wrong? The right exit code, what, where and what to do; and it lives on.

  test_bad_input.py                    all
  test_bad_input.py -k SilentServer    some; $QUELL names another program than build/release/quell
"""
import os
import pathlib
import random
import socket
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from support import peers  # noqa: E402

FINE, FAILED, USAGE = 0, 1, 2
HANDSHAKE_DEADLINE_S = 10
# What a start and an end may take on a loaded machine with sanitizers, beyond the time under test.
SLACK_S = 4


def quell(*arguments, seconds=60):
    """Runs quell to its end; gives exit code, standard error and the seconds that it took."""
    start = time.monotonic()
    done = subprocess.run([peers.quell_program(), *map(str, arguments)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=seconds)
    return done.returncode, done.stderr, time.monotonic() - start


class BadInput(unittest.TestCase):
    def setUp(self):
        self.shop = self.enterContext(peers.Workshop())

    def expect(self, code, words, *arguments):
        """The command must end with this code, and say all of these words on standard error, in a few lines."""
        got, said, seconds = quell(*arguments)
        self.assertEqual(got, code, said)
        for word in words:
            self.assertIn(word.lower(), said.lower())
        self.assertLessEqual(len(said.splitlines()), 8, said)
        self.assertNotIn("AddressSanitizer", said)
        return said, seconds

    def serve(self, **changed):
        server = peers.QuellServer(self.shop, peers.Options(**changed))
        return self.enterContext(server)

    def fetch(self, port, name):
        return quell("get", "--ca", self.shop.pki.ca, "-o", self.shop.downloads / name, f"https://localhost:{port}/{name}")


class Usage(BadInput):
    def test_unknown_controller_is_named_and_the_known_ones_are_listed(self):
        pki = self.shop.pki
        for command in (["get", "https://localhost:1/"], ["lab", "run", "collapse-recovery"],
                        ["serve", "--listen", "127.0.0.1:0", "--cert", pki.cert, "--key", pki.key, "--generate"]):
            with self.subTest(command[0]):
                self.expect(USAGE, ["cubick", "cubic", "reno"], *command, "--cc", "cubick")

    def test_no_command_and_unknown_options_teach(self):
        for command in ([], ["got"], ["get"], ["get", "--colour", "https://localhost:1/"], ["lab", "run"]):
            with self.subTest(command):
                code, said, _ = quell(*command)
                self.assertEqual(code, USAGE, said)
                self.assertIn("--help", said)

    def test_a_url_must_be_https_and_have_a_host(self):
        for url in ("http://localhost/", "localhost", "https://", "https://localhost:99999/", "https://localhost:x/"):
            with self.subTest(url):
                self.expect(USAGE, [url], "get", "--insecure", "--discard", url)

    def test_unknown_scenario_is_named(self):
        self.expect(USAGE, ["collapse-recovry", "collapse-recovery"], "lab", "run", "collapse-recovry")


class Scenarios(BadInput):
    def run_text(self, text, code, *words):
        file = self.shop.folder / "mine.toml"
        file.write_text(text)
        return self.expect(code, ["mine.toml", *words], "lab", "run", file)

    def good(self):
        shown = subprocess.run([peers.quell_program(), "lab", "show", "collapse-recovery"], capture_output=True, text=True,
                               check=True, stdin=subprocess.DEVNULL)
        return shown.stdout

    def test_malformed_toml_gives_line_and_column(self):
        self.run_text('title = "x"\n\nname = = 3\n', USAGE, ":3:8")

    def test_unknown_key_gives_line_and_column(self):
        lines = (peers.REPOSITORY / "lab/scenarios/collapse-recovery.toml").read_text().splitlines()
        table = next(i for i, line in enumerate(lines) if line.startswith("["))
        lines.insert(table + 1, "  colour = 1")
        self.run_text("\n".join(lines) + "\n", USAGE, "colour", f":{table + 2}:3")

    def test_a_missing_file_is_named(self):
        self.expect(USAGE, ["nowhere.toml"], "lab", "run", self.shop.folder / "nowhere.toml")


class Serve(BadInput):
    def arguments(self, **changed):
        parts = {"--listen": f"127.0.0.1:{peers.free_port()}", "--cert": self.shop.pki.cert, "--key": self.shop.pki.key,
                 "--root": self.shop.www}
        parts.update(changed)
        return [word for pair in parts.items() for word in pair]

    def test_a_missing_certificate_is_named(self):
        for option in ("--cert", "--key"):
            with self.subTest(option):
                missing = self.shop.folder / "missing.pem"
                code, said, _ = quell("serve", *self.arguments(**{option: missing}))
                self.assertIn(code, (FAILED, USAGE))
                self.assertIn("missing.pem", said)

    def test_a_certificate_that_is_none_is_named(self):
        nonsense = self.shop.folder / "nonsense.pem"
        nonsense.write_text("-----BEGIN CERTIFICATE-----\nnonsense\n")
        self.expect(FAILED, ["nonsense.pem"], "serve", *self.arguments(**{"--cert": nonsense}))

    def test_a_missing_root_is_named(self):
        code, said, _ = quell("serve", *self.arguments(**{"--root": self.shop.folder / "nowhere"}))
        self.assertIn(code, (FAILED, USAGE))
        self.assertIn("nowhere", said)

    def test_a_port_in_use_is_named(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
            taken.bind(("127.0.0.1", 0))
            port = taken.getsockname()[1]
            self.expect(FAILED, [f"127.0.0.1:{port}", "in use"], "serve", *self.arguments(**{"--listen": f"127.0.0.1:{port}"}))

    def test_garbage_is_dropped_and_serving_goes_on(self):
        name = self.shop.add_file("after.bin", 1_000_000)
        server = self.serve()
        seed = int(os.environ.get("SEED", "1"))
        print(f"garbage from SEED={seed}", flush=True)
        draw = random.Random(seed)
        initial = self.first_datagram()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.connect(("127.0.0.1", server.port))
            for i in range(2000):
                sender.send(garbage(draw, initial))
                if i % 50 == 0:
                    time.sleep(0.002)  # let the server read: what its socket drops tests nothing
        code, said, _ = self.fetch(server.port, name)
        self.assertEqual(code, FINE, said)
        self.shop.check_downloads([name])
        self.assertEqual(server.process.stop(), FINE, server.process.text())

    def first_datagram(self):
        """A client's real Initial, to be damaged."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.bind(("127.0.0.1", 0))
            silent.settimeout(10)
            url = f"https://127.0.0.1:{silent.getsockname()[1]}/"
            with peers.Process([peers.quell_program(), "get", "--insecure", "--discard", url], self.shop.folder / "get.log"):
                return silent.recv(65536)


def garbage(draw, initial):
    kind = draw.randrange(4)
    if kind == 0:
        return draw.randbytes(draw.randrange(0, 1500))
    damaged = bytearray(initial)
    if kind == 1:  # a few bits flipped, anywhere
        for _ in range(draw.randrange(1, 8)):
            damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
    elif kind == 2:  # cut short
        del damaged[draw.randrange(len(damaged)):]
    else:  # a version or type of its own, another connection
        damaged[0] = draw.randrange(256)
        damaged[1:5] = draw.randbytes(4)
        damaged[6:14] = draw.randbytes(8)
    return bytes(damaged)


class Get(BadInput):
    def test_nobody_there_is_said_at_once(self):
        port = peers.free_port()
        _, seconds = self.expect(FAILED, ["refused", str(port)], "get", "--insecure", "--discard", f"https://127.0.0.1:{port}/")
        self.assertLess(seconds, SLACK_S)

    def test_an_unknown_host_is_named(self):
        self.expect(FAILED, ["no-such-host.invalid"], "get", "--discard", "https://no-such-host.invalid/")

    def test_a_certificate_of_an_unknown_authority_is_refused(self):
        server = self.serve()
        other = peers.make_pki(self.shop.folder / "other")
        url = f"https://localhost:{server.port}/"
        self.expect(FAILED, ["certificate"], "get", "--ca", other.ca, "--discard", url)
        self.expect(FAILED, ["certificate"], "get", "--discard", url)

    def test_a_certificate_for_another_name_is_refused(self):
        self.shop.pki = peers.make_pki(self.shop.folder / "elsewhere", names="DNS:elsewhere.example")
        server = self.serve()
        self.expect(FAILED, ["certificate"], "get", "--ca", self.shop.pki.ca, "--discard", f"https://localhost:{server.port}/")

    def test_a_file_that_is_not_there_fails_and_leaves_nothing(self):
        server = self.serve()
        code, said, _ = self.fetch(server.port, "nothing.bin")
        self.assertEqual(code, FAILED, said)
        self.assertIn("404", said)
        self.assertFalse((self.shop.downloads / "nothing.bin").exists())

    def test_a_server_that_dies_makes_an_error_of_a_truncated_body(self):
        size = 2_000_000_000
        server = self.serve_generated()
        url = f"https://localhost:{server.port}/{size}"
        with peers.Process([peers.quell_program(), "get", "--ca", self.shop.pki.ca, "--discard", url],
                           self.shop.folder / "get.log") as client:
            time.sleep(0.7)
            self.assertIsNone(client.child.poll(), client.text())
            server.process.child.kill()
            self.assertEqual(client.child.wait(60), FAILED, client.text())

    def serve_generated(self):
        server = peers.QuellServer(self.shop)
        command = [peers.quell_program(), "serve", "--listen", f"127.0.0.1:{server.port}", "--cert", self.shop.pki.cert,
                   "--key", self.shop.pki.key, "--generate"]
        server.command = lambda: command
        return self.enterContext(server)


class SilentServer(BadInput):
    def test_a_server_that_never_answers_is_given_the_handshake_deadline(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.bind(("127.0.0.1", 0))
            url = f"https://127.0.0.1:{silent.getsockname()[1]}/"
            _, seconds = self.expect(FAILED, ["handshake", url], "get", "--insecure", "--discard", url)
        self.assertGreaterEqual(seconds, HANDSHAKE_DEADLINE_S)
        self.assertLess(seconds, HANDSHAKE_DEADLINE_S + SLACK_S)


class OutOfTheRoot(BadInput):
    def test_no_path_leads_out_of_the_root(self):
        secret = "the secret that is beside the root"
        (self.shop.folder / "secret.txt").write_text(secret)
        (self.shop.www / "inside.txt").write_text("inside")
        (self.shop.www / "link.txt").symlink_to(self.shop.folder / "secret.txt")
        (self.shop.www / "up").symlink_to(self.shop.folder)
        server = self.serve()
        for path in ("../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "%2e%2e%2fsecret.txt", "x/../../secret.txt",
                     "link.txt", "up/secret.txt", "/secret.txt", "%00/../secret.txt", "inside.txt%00.html", ".%2e/secret.txt"):
            with self.subTest(path):
                self.assertNotIn(secret, self.ask_by_ngtcp2(server.port, path))
        self.assertIn("inside", self.ask_by_ngtcp2(server.port, "inside.txt"))

    def ask_by_ngtcp2(self, port, path):
        """The response as ngtcp2 prints it: its client sends paths as they are."""
        done = subprocess.run(["gtlsclient", "--no-quic-dump", "--exit-on-all-streams-close", "127.0.0.1", str(port),
                               f"https://localhost:{port}/{path}"],
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=30)
        return "".join(map(http_text, (done.stdout + done.stderr).decode(errors="replace").splitlines()))


def http_text(line):
    """What a line of a hex dump says in text; nothing for other lines."""
    return line.rsplit("|", 2)[1] if line.count("|") >= 2 and line.endswith("|") else ""


if __name__ == "__main__":
    unittest.main(verbosity=2)
