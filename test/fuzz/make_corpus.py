#!/usr/bin/env python3
"""What should the fuzzers start from? Writes the seeds under corpus/: one legal example of everything, by hand from RFC 9000.

Inputs that a fuzzer found are kept beside them under the name of the bug; this script leaves those alone.
"""
import pathlib

HERE = pathlib.Path(__file__).parent
INITIAL, ZERO_RTT, HANDSHAKE, ONE_RTT = b"\0", b"\1", b"\2", b"\3"
CLIENT, SERVER, GREASED_SERVER = b"\0", b"\1", b"\3"


def h(text: str) -> bytes:
    return bytes.fromhex(text)


def long_header(first: int, rest: bytes, version: int = 1, dcid: bytes = b"destined", scid: bytes = b"src") -> bytes:
    return bytes([first]) + version.to_bytes(4, "big") + bytes([len(dcid)]) + dcid + bytes([len(scid)]) + scid + rest


INITIAL_PACKET = long_header(0xC3, h("03746f6b 4018") + bytes(range(24)))
HANDSHAKE_PACKET = long_header(0xE1, h("4018") + bytes(24))
SHORT_PACKET = b"\x45" + b"destined" + bytes(range(24))

PACKET_HEADERS = {  # the first byte: the length of the IDs that we issue
    "initial": b"\x08" + INITIAL_PACKET,
    "zero_rtt": b"\x08" + long_header(0xD0, h("18") + bytes(24)),
    "handshake": b"\x08" + HANDSHAKE_PACKET,
    "retry": b"\x08" + long_header(0xFF, b"token" + bytes(16)),
    "version_negotiation": b"\x08" + long_header(0x80, h("00000001 6b3343cf"), version=0),
    "unknown_version": b"\x08" + long_header(0xC0, bytes(40), version=0x1A2A3A4A),
    "short": b"\x08" + SHORT_PACKET,
    "short_without_id": b"\x00" + b"\x40" + bytes(24),
    "coalesced": b"\x08" + INITIAL_PACKET + HANDSHAKE_PACKET + SHORT_PACKET,
    "id_of_21_bytes": b"\x08" + long_header(0xC0, bytes(40), dcid=bytes(21)),
    "length_beyond_datagram": b"\x08" + long_header(0xE0, h("7fff") + bytes(24)),
}

FRAMES = {  # the first byte: the packet type
    "initial": INITIAL + h("02 09 412c 02 02 01 00 01 01 06 00 04 01020304 01 00000000"),
    "handshake_close": HANDSHAKE + h("06 4100 02 aabb 1c 4128 06 03 627965"),
    "zero_rtt": ZERO_RTT + h("0a 00 03 474554 0f 04 4100 02 aabb 1a 0102030405060708"),
    "ack_ecn": ONE_RTT + h("03 43e8 4046 02 05 4040 03 01 4064 07 08 09"),
    "stream_to_the_end": ONE_RTT + h("0d 04 4100 0102030405060708"),
    "stream_control": ONE_RTT + h("04 04 4100 80010000 05 08 4101 11 07 80010000 15 07 80010000"),
    "limits": ONE_RTT + h("10 80010000 12 4100 13 d000000000000000 14 80010000 16 d000000000000000 17 4100"),
    "connection_ids": ONE_RTT + h("18 07 04 04 c1c2c3c4") + bytes(range(16)) + h("19 4100"),
    "paths": ONE_RTT + h("1a 0102030405060708 1b 0102030405060708"),
    "finish": ONE_RTT + h("07 04 d0d1d2d3 1e 1d 4128 04 d0d1d2d3"),
    "forged_range_count": ONE_RTT + h("02 ffffffffffffffff 00 ffffffffffffffff 00 00 00"),
    "offset_at_the_edge": ONE_RTT + h("0e 00 fffffffffffffffe 01 aa 0e 00 ffffffffffffffff 01 aa"),
    "long_type": ONE_RTT + h("4001"),
}

PREFERRED = h("c0000201 01bb 20010db8000000000000000000000001 20fb 04 c1c2c3c4") + bytes(16)
INTEGERS = h("010480007530 0302 45c0 0404 80989680 0504 800f4240 0604 800f4240 0704 800f4240 0802 4064 0902 4064"
             " 0a01 03 0b01 19 0e01 08 2004 8000ffff")
TRANSPORT_PARAMETERS = {  # the first byte: sender and grease
    "empty": CLIENT,
    "client": CLIENT + INTEGERS + h("0f03 737263 0c00"),
    "server": SERVER + INTEGERS + h("0008 1111111111111111 0f00 1003 222222 0210") + bytes(range(16))
    + h("0d") + bytes([len(PREFERRED)]) + PREFERRED,
    "greased": GREASED_SERVER + INTEGERS + h("1b00 403a 03 010203"),
    "repeated": CLIENT + h("0401 01 0401 01"),
    "server_only_from_client": CLIENT + h("0210") + bytes(16),
    "endless_idle_timeout": CLIENT + h("0108 ffffffffffffffff"),
    "longer_than_needed": CLIENT + h("0a08 c000000000000004"),
}

DATAGRAM, FRAMES_IN_INITIAL, ODD_HEADER, FROM_ELSEWHERE, NEW_CONNECTION = range(5)


def record(kind: int, content: bytes, time: int = 0) -> bytes:
    return bytes([kind, time]) + len(content).to_bytes(2, "big") + content


def crypto(offset: int, data: bytes) -> bytes:
    return b"\x06" + (0x4000 | offset).to_bytes(2, "big") + (0x4000 | len(data)).to_bytes(2, "big") + data


# A TLS 1.3 ClientHello that the server answers with its whole flight; the key share is noise.
EXTENSIONS = h("002b 0003 02 0304  000d 0004 0002 0807  000a 0004 0002 001d  0010 0007 0005 04 74657374"
               " 0039 000c 0f04 70656572 0404 80100000 0033 0026 0024 001d 0020") + bytes(range(32))
HELLO_BODY = h("0303") + bytes(32) + h("00 0002 1301 01 00") + len(EXTENSIONS).to_bytes(2, "big") + EXTENSIONS
CLIENT_HELLO = b"\x01" + len(HELLO_BODY).to_bytes(3, "big") + HELLO_BODY
PING, SECOND = b"\x01", 20  # 2^20 microseconds

RECEIVE_PATH = {  # records: see receive_path_fuzz.cc
    "empty": b"",
    "ping": record(FRAMES_IN_INITIAL, PING),
    "client_hello": record(FRAMES_IN_INITIAL, crypto(0, CLIENT_HELLO)),
    "client_hello_in_pieces": record(FRAMES_IN_INITIAL, crypto(60, CLIENT_HELLO[60:]))
    + record(FRAMES_IN_INITIAL, crypto(0, CLIENT_HELLO[:60]), time=10),
    "client_hello_repeated": 3 * record(FRAMES_IN_INITIAL, crypto(0, CLIENT_HELLO), time=18),
    "ack_and_close": record(FRAMES_IN_INITIAL, PING)
    + record(FRAMES_IN_INITIAL, h("02 00 00 00 00 1c 4128 06 03 627965"), time=14),
    "forbidden_frame": record(FRAMES_IN_INITIAL, h("0a 00 03 474554")),
    "reserved_bits": record(ODD_HEADER, b"\x0c" + PING),
    "closed_and_asked_again": record(FRAMES_IN_INITIAL, h("1e")) + 5 * record(FRAMES_IN_INITIAL, PING, time=12),
    "connections_beyond_the_limit": 9 * record(NEW_CONNECTION, PING),
    "from_elsewhere": record(FRAMES_IN_INITIAL, PING) + record(FROM_ELSEWHERE, INITIAL_PACKET + bytes(1200)),
    "unknown_version": record(DATAGRAM, long_header(0xC0, bytes(1200), version=0x1A2A3A4A)),
    "short_for_nobody": record(DATAGRAM, SHORT_PACKET),
    "handshake_packet_too_early": record(FRAMES_IN_INITIAL, PING) + record(DATAGRAM, HANDSHAKE_PACKET),
    "silence": record(FRAMES_IN_INITIAL, PING) + record(FRAMES_IN_INITIAL, PING, time=SECOND),
}


def main() -> None:
    corpora = {"packet_header": PACKET_HEADERS, "frames": FRAMES, "transport_parameters": TRANSPORT_PARAMETERS,
               "receive_path": RECEIVE_PATH}
    for target, seeds in corpora.items():
        folder = HERE / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in seeds.items():
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
