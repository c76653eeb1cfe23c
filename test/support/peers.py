"""Who stands at the other end? QUIC servers and clients of several stacks, started, waited for and stopped by tests.

Every server and client takes the same Options and translates them into its own flags; what it cannot do it names in
`cannot`, and the tests leave that pair out.
"""
import contextlib
import dataclasses
import hashlib
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
QUICHE_HOME = REPOSITORY / "build/peers/quiche"
QUICHE_SCRIPT = REPOSITORY / "test/interop/quiche_peer.mjs"
CHACHA_ONLY = "NORMAL:-VERS-ALL:+VERS-TLS1.3:-CIPHER-ALL:+CHACHA20-POLY1305"

KEY_UPDATE_AFTER = "100"  # packets; a client that downloads 20 MB sends some 400


def quell_program():
    """The program under test: $QUELL, else the release build."""
    return os.environ.get("QUELL", str(REPOSITORY / "build/release/quell"))


class Failure(Exception):
    """A test's expectation that did not hold."""


class Absent(Exception):
    """A peer that this machine does not have."""


@dataclasses.dataclass(frozen=True)
class Options:
    retry: bool = False       # the server validates the address first
    chacha: bool = False      # ChaCha20-Poly1305 and nothing else
    key_update: str = ""      # which end begins one: "client", "server", or none
    loss: float = 0.0         # of each packet, in each direction, at the peer
    verbose: bool = False     # the peer's log shall say what happened (slow: not for big files)

    def needs(self):
        """The names of what is asked for, to be compared with a peer's `cannot`."""
        asked = {name for name in ("retry", "chacha", "loss") if getattr(self, name)}
        return asked | ({f"key_update by {self.key_update}"} if self.key_update else set())


# --- a workshop: temporary files, certificates, processes


@dataclasses.dataclass(frozen=True)
class Pki:
    ca: pathlib.Path
    cert: pathlib.Path
    key: pathlib.Path


def make_pki(folder, names="DNS:localhost,IP:127.0.0.1,IP:::1"):
    """A CA and a leaf of its own (CA:FALSE, ECDSA P-256): what every stack accepts."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pki = Pki(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    extensions = folder / "leaf.ext"
    extensions.write_text(f"basicConstraints=critical,CA:FALSE\nsubjectAltName={names}\nextendedKeyUsage=serverAuth\n")
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]

    def openssl(*arguments):
        done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            raise Failure(f"openssl {arguments[0]}: {done.stderr}")

    openssl("req", "-x509", *curve, "-keyout", folder / "ca.key", "-out", pki.ca, "-days", 30,
            "-subj", "/CN=quell test CA", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl("req", *curve, "-keyout", pki.key, "-out", folder / "leaf.csr", "-subj", "/CN=localhost")
    openssl("x509", "-req", "-in", folder / "leaf.csr", "-CA", pki.ca, "-CAkey", folder / "ca.key",
            "-set_serial", random.SystemRandom().getrandbits(64), "-days", 30, "-extfile", extensions,
            "-out", pki.cert)
    return pki


def free_port():
    """A port of 127.0.0.1 that is free for UDP and TCP now."""
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, socket.socket() as tcp:
            udp.bind(("127.0.0.1", 0))
            port = udp.getsockname()[1]
            with contextlib.suppress(OSError):
                tcp.bind(("127.0.0.1", port))
                return port


def is_udp_bound(port):
    """Does any process of this machine listen on this UDP port?"""
    wanted = f":{port:04X}"
    for table in ("/proc/net/udp", "/proc/net/udp6"):
        with contextlib.suppress(FileNotFoundError), open(table) as rows:
            if any(row.split()[1].endswith(wanted) for row in list(rows)[1:]):
                return True
    return False


class Process:
    """A child that is always ended: by SIGTERM, and by SIGKILL when it does not listen."""

    def __init__(self, command, log, **popen):
        self.command = [str(word) for word in command]
        self.log = pathlib.Path(log)
        with open(self.log, "wb") as output:
            self.child = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=output,
                                          stderr=subprocess.STDOUT, **popen)

    def text(self):
        return self.log.read_text(errors="replace")

    def wait_for_port(self, port, seconds=15):
        deadline = time.monotonic() + seconds
        while not is_udp_bound(port):
            if self.child.poll() is not None:
                raise Failure(f"{self.command[0]} ended with {self.child.returncode} before it listened:\n{self.text()}")
            if time.monotonic() > deadline:
                raise Failure(f"{self.command[0]} does not listen on port {port} after {seconds} s:\n{self.text()}")
            time.sleep(0.01)

    def stop(self, seconds=10):
        """Ends the child and gives its exit code."""
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(seconds)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        return self.child.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Workshop:
    """One test's own folder: certificates, a document root, a place for downloads and logs."""

    def __init__(self, keep=False):
        self.keep = keep
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="quell-test-"))
        self.www, self.downloads = self.folder / "www", self.folder / "downloads"
        self.www.mkdir()
        self.downloads.mkdir()
        self.pki = make_pki(self.folder / "pki")

    def add_file(self, name, size):
        """Bytes that do not repeat, the same in every run."""
        chunk = 1 << 20
        draw = random.Random(f"{name} {size}")
        with open(self.www / name, "wb") as out:
            for start in range(0, size, chunk):
                out.write(draw.randbytes(min(chunk, size - start)))
        return name

    def check_downloads(self, names):
        for name in names:
            got = self.downloads / name
            if not got.exists():
                raise Failure(f"{name} was not downloaded")
            if sha256(got) != sha256(self.www / name):
                raise Failure(f"{name}: the checksum differs; {got.stat().st_size} bytes of "
                              f"{(self.www / name).stat().st_size} arrived")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.keep:
            print(f"kept: {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)


def quiche_command(*words):
    if not (QUICHE_HOME / "node_modules").exists():
        raise Absent("quiche is not installed; tools/quiche_peer.sh installs it where it can run")
    return ["node", QUICHE_SCRIPT, *words]


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# --- servers: `command` says how to start one; start() waits until it listens


class Server:
    cannot = frozenset()

    def __init__(self, shop, options=Options()):
        self.shop, self.options, self.port = shop, options, free_port()

    def start(self):
        self.process = Process(self.command(), self.shop.folder / "server.log", **self.surroundings())
        try:
            self.process.wait_for_port(self.port)
        except Failure:
            self.process.stop()
            raise
        return self

    def surroundings(self):
        return {}

    def check_proof(self, names):
        """Raises Failure when the log does not show that what was asked for took place."""

    def check_end(self):
        """Raises Failure when it ended badly."""

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.process.stop()


class QuellServer(Server):
    cannot = frozenset({"loss"})  # the other end drops instead

    def command(self):
        o, pki = self.options, self.shop.pki
        return [quell_program(), "serve", "--listen", f"127.0.0.1:{self.port}", "--cert", pki.cert, "--key", pki.key,
                "--root", self.shop.www, *(["--retry"] if o.retry else []),
                *(["--ciphers", "chacha20"] if o.chacha else []),
                *(["--key-update-after", KEY_UPDATE_AFTER] if o.key_update == "server" else [])]

    def check_end(self):
        if code := self.process.child.returncode:
            raise Failure(f"quell serve ended with {code} after SIGTERM")


class Ngtcp2Server(Server):
    cannot = frozenset({"key_update by server"})

    def command(self):
        o, pki = self.options, self.shop.pki
        return ["gtlsserver", *([] if o.verbose else ["-q"]), "--no-quic-dump", "--no-http-dump", "-d", self.shop.www,
                *(["-V"] if o.retry else []), *([f"--ciphers={CHACHA_ONLY}"] if o.chacha else []),
                *([f"--tx-loss={o.loss}", f"--rx-loss={o.loss}"] if o.loss else []),
                "127.0.0.1", self.port, pki.key, pki.cert]

    def check_proof(self, names):
        check_ngtcp2_log(self.process.text(), self.options, retry="Verifying Retry token")


class CaddyServer(Server):
    cannot = frozenset({"retry", "chacha", "loss", "key_update by server"})

    def command(self):
        caddyfile = self.shop.folder / "Caddyfile"
        self.access_log = self.shop.folder / "access.json"
        caddyfile.write_text(f"""{{
\tadmin off
\tauto_https disable_redirects
\tskip_install_trust
\tservers {{
\t\tprotocols h1 h2 h3
\t}}
}}
https://localhost:{self.port} {{
\tbind 127.0.0.1
\ttls {self.shop.pki.cert} {self.shop.pki.key}
\tlog {{
\t\toutput file {self.access_log}
\t\tformat json
\t}}
\troot * {self.shop.www}
\tfile_server
}}
""")
        return ["caddy", "run", "--config", caddyfile, "--adapter", "caddyfile"]

    def surroundings(self):
        home = str(self.shop.folder)
        return {"env": {**os.environ, "HOME": home, "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home}}

    def check_proof(self, names):
        """The access log is written when a request is over, which may be a moment after the client has left."""
        deadline = time.monotonic() + 5
        while (seen := self.access_log.read_text().count('"proto":"HTTP/3.0"')) < len(names):
            if time.monotonic() > deadline:
                raise Failure(f"caddy logged {seen} HTTP/3 requests of {len(names)}")
            time.sleep(0.05)


class QuicheServer(Server):
    """Gives the same file, the first of www, to every request."""
    cannot = frozenset({"retry", "chacha", "loss", "key_update by server", "many"})

    def command(self):
        file, = self.shop.www.iterdir()
        return quiche_command("server", self.port, self.shop.pki.key, self.shop.pki.cert, file)


# --- clients: fetch() downloads all names at once, on one connection, into shop.downloads


class Client:
    cannot = frozenset()

    def __init__(self, shop, options=Options()):
        self.shop, self.options = shop, options

    def fetch(self, port, names, seconds=120):
        """The client's exit code: judged by the caller with the files, since some clients exit 0 whatever happens."""
        urls = [f"https://localhost:{port}/{name}" for name in names]
        self.process = Process(self.command(port, urls), self.shop.folder / "client.log", cwd=self.shop.downloads)
        try:
            return self.process.child.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"the client was not done after {seconds} s") from None
        finally:
            self.process.stop()

    def check_proof(self):
        """As Server.check_proof."""


class QuellClient(Client):
    cannot = frozenset({"loss"})

    def command(self, port, urls):
        o = self.options
        return [quell_program(), "get", "--ca", self.shop.pki.ca, "-O", *(["--ciphers", "chacha20"] if o.chacha else []),
                *(["--key-update-after", KEY_UPDATE_AFTER] if o.key_update == "client" else []), *urls]

    def check_proof(self):
        if self.process.child.returncode:
            raise Failure(f"quell get ended with {self.process.child.returncode}")


class Ngtcp2Client(Client):
    def command(self, port, urls):
        o = self.options
        return ["gtlsclient", *([] if o.verbose else ["-q"]), "--no-quic-dump", "--no-http-dump",
                "--exit-on-all-streams-close", f"--download={self.shop.downloads}",
                *([f"--ciphers={CHACHA_ONLY}"] if o.chacha else []),
                *(["--key-update=10ms"] if o.key_update == "client" else []),
                *([f"--tx-loss={o.loss}", f"--rx-loss={o.loss}"] if o.loss else []), "127.0.0.1", port, *urls]

    def check_proof(self):
        check_ngtcp2_log(self.process.text(), self.options, retry="type=Retry")


class QuicheClient(Client):
    cannot = frozenset({"retry", "chacha", "loss", "key_update by client", "many"})

    def command(self, port, urls):
        url, = urls
        name = url.rsplit("/", 1)[1]
        return quiche_command("client", port, f"/{name}", self.shop.downloads / name)


def check_ngtcp2_log(log, options, retry):
    """ngtcp2, the independent witness, says what took place, when it is verbose."""
    if not options.verbose:
        return
    for asked, line in ((options.retry, retry), (options.chacha, "Negotiated cipher suite is CHACHA20-POLY1305"),
                        (options.key_update, "key update confirmed")):
        if asked and line not in log:
            raise Failure(f"ngtcp2's log does not say '{line}'")
