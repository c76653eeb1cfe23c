// Cloudflare's quiche as the other end of a test: one file, from a server or into a client, over a minimal HTTP/3.
//
//   quiche_peer.mjs server PORT KEY CERT FILE    gives FILE to every request
//   quiche_peer.mjs client PORT PATH OUT         GET PATH from 127.0.0.1, the body goes to OUT
//
// QPACK: literals only, no dynamic table. Pacing is on: with it off, this quiche stalls on a bug of its own.
import crypto from "node:crypto";
import dgram from "node:dgram";
import fs from "node:fs";
import { createRequire } from "node:module";

const home = new URL("../../build/peers/quiche/package.json", import.meta.url);
const quiche = createRequire(home)("@matrixai/quic-linux-x64");

const MAX_DATAGRAM = 1350;
const CLIENT_CONTROL = 2, SERVER_CONTROL = 3, REQUEST = 0;
const H3_NO_ERROR = 0x100;
const EMPTY_SETTINGS = Buffer.from([0x00, 0x04, 0x00]);  // stream type control, then SETTINGS of length 0

function fail(text) {
  console.error(`quiche: ${text}`);
  process.exit(1);
}

// --- HTTP/3, as little as will do (RFC 9114 §7, RFC 9204 §4.5.6)

function varint(value) {
  if (value < 2 ** 6) return Buffer.from([value]);
  const out = Buffer.alloc(8);
  out.writeBigUInt64BE(BigInt(value) | (3n << 62n));
  return out;
}

function frame(type, payload) {
  return Buffer.concat([varint(type), varint(payload.length), payload]);
}

function prefixed(first_byte, bits, value) {
  const max = 2 ** bits - 1;
  if (value < max) return Buffer.from([first_byte | value]);
  return Buffer.from([first_byte | max, value - max]);  // our names and values are shorter than max + 128
}

function headers(fields) {
  const parts = [Buffer.from([0, 0])];
  for (const [name, value] of fields) {
    parts.push(prefixed(0x20, 3, name.length), Buffer.from(name), prefixed(0, 7, value.length), Buffer.from(value));
  }
  return frame(0x01, Buffer.concat(parts));
}

// Cuts a stream into frames and hands the bodies of DATA frames on.
class DataReader {
  constructor(on_data) {
    this.on_data = on_data;
    this.head = Buffer.alloc(0);
    this.left = 0;
  }

  push(bytes) {
    while (bytes.length > 0) {
      if (this.left === 0) {
        this.head = Buffer.concat([this.head, bytes.subarray(0, 1)]);
        bytes = bytes.subarray(1);
        this.try_head();
        continue;
      }
      const taken = bytes.subarray(0, this.left);
      if (this.type === 0) this.on_data(taken);
      this.left -= taken.length;
      bytes = bytes.subarray(taken.length);
    }
  }

  try_head() {
    const numbers = [];
    for (let at = 0; numbers.length < 2;) {
      if (at >= this.head.length) return;
      const size = 1 << (this.head[at] >> 6);
      if (at + size > this.head.length) return;
      let value = this.head[at] & 63;
      for (let i = 1; i < size; ++i) value = value * 256 + this.head[at + i];
      numbers.push(value);
      at += size;
    }
    [this.type, this.left] = numbers;
    this.head = Buffer.alloc(0);
  }
}

// --- quiche

function make_config(key, cert) {
  const pem = (path) => (path ? [fs.readFileSync(path)] : null);
  const config = quiche.Config.withBoringSslCtx(false, key === undefined, null, pem(key), pem(cert), null);
  config.verifyPeer(false);
  config.grease(true);
  config.setApplicationProtos(["h3"]);
  config.setMaxIdleTimeout(30000);
  config.setMaxRecvUdpPayloadSize(65527);
  config.setMaxSendUdpPayloadSize(MAX_DATAGRAM);
  config.setInitialMaxData(24 << 20);
  config.setInitialMaxStreamDataBidiLocal(16 << 20);
  config.setInitialMaxStreamDataBidiRemote(1 << 20);
  config.setInitialMaxStreamDataUni(1 << 20);
  config.setInitialMaxStreamsBidi(100);
  config.setInitialMaxStreamsUni(100);
  config.setDisableActiveMigration(true);
  config.setCcAlgorithmName("cubic");
  config.enablePacing(true);
  return config;
}

async function bind(port) {
  const socket = dgram.createSocket({ type: "udp4", recvBufferSize: 4 << 20 });
  await new Promise((resolve) => socket.bind(port, "127.0.0.1", resolve));
  return socket;
}

const datagram = Buffer.alloc(MAX_DATAGRAM + 150), stream_bytes = Buffer.alloc(1 << 16);

// Drives one connection: datagrams in by receive(); `work` reads and writes streams; whatever is to be sent is sent.
class Driver {
  constructor(connection, socket, remote, work, on_closed) {
    Object.assign(this, { connection, socket, remote, work, on_closed });
    this.local = { host: "127.0.0.1", port: socket.address().port };
  }

  receive(bytes) {
    try {
      this.connection.recv(bytes, { from: this.remote, to: this.local });
    } catch (problem) {
      console.error(`quiche: receive: ${problem.message}`);
    }
    if (!this.turn) this.turn = setImmediate(() => this.run());  // one turn for all datagrams that wait
  }

  run() {
    this.turn = null;
    if (this.connection.isEstablished()) this.work(this.connection);
    for (let sent; (sent = this.connection.send(datagram));) {
      this.socket.send(Buffer.from(datagram.subarray(0, sent[0])), this.remote.port, this.remote.host);
    }
    clearTimeout(this.timer);
    if (this.connection.isClosed()) return this.on_closed();
    const timeout = this.connection.timeout();
    if (timeout === null) return;
    this.timer = setTimeout(() => {
      this.connection.onTimeout();
      this.run();
    }, timeout + 1);
  }
}

// All that can be read of a stream goes to on_bytes; true when the stream has ended.
function read_stream(connection, id, on_bytes) {
  for (let got; (got = connection.streamRecv(id, stream_bytes));) {
    on_bytes(stream_bytes.subarray(0, got[0]));
    if (got[1]) return true;
  }
  return false;
}

async function client(port, path, out) {
  const socket = await bind(0);
  const remote = { host: "127.0.0.1", port: Number(port) };
  const local = { host: "127.0.0.1", port: socket.address().port };
  const connection = quiche.Connection.connect("localhost", crypto.randomBytes(16), local, remote, make_config());
  const file = fs.openSync(out, "w");
  const reader = new DataReader((bytes) => fs.writeSync(file, bytes));
  const request = headers([[":method", "GET"], [":scheme", "https"], [":authority", `localhost:${port}`], [":path", path]]);
  let asked = false, done = false;

  const work = () => {
    if (!asked) {
      connection.streamSend(CLIENT_CONTROL, EMPTY_SETTINGS, false);
      connection.streamSend(REQUEST, request, true);
      asked = true;
    }
    for (const id of connection.readable()) {
      const ended = read_stream(connection, id, (bytes) => id === REQUEST && reader.push(bytes));
      if (ended && id === REQUEST) {
        done = true;
        connection.close(true, H3_NO_ERROR, Buffer.from(""));
      }
    }
  };
  const driver = new Driver(connection, socket, remote, work, () => {
    socket.close();
    if (!done) fail(`closed before the end: ${JSON.stringify(connection.peerError() ?? connection.localError())}`);
  });
  socket.on("message", (bytes) => driver.receive(bytes));
  driver.run();
}

// Writes one response on every request stream that has ended, as far as the window allows.
function make_responder(body) {
  const head = Buffer.concat([
    headers([[":status", "200"], ["content-length", String(body.length)]]), varint(0), varint(body.length)]);
  const response = Buffer.concat([head, body]);
  const unsent = new Map();  // request stream: how much of its response is sent
  let greeted = false;
  return (connection) => {
    if (!greeted) {
      connection.streamSend(SERVER_CONTROL, EMPTY_SETTINGS, false);
      greeted = true;
    }
    for (const id of connection.readable()) {
      if (read_stream(connection, id, () => {}) && id % 4 === 0) unsent.set(id, 0);
    }
    for (const [id, offset] of unsent) {
      const taken = connection.streamSend(id, response.subarray(offset), true);
      if (taken === null) continue;
      if (offset + taken < response.length) unsent.set(id, offset + taken);
      else unsent.delete(id);
    }
  };
}

async function server(port, key, cert, path) {
  const body = fs.readFileSync(path);
  const config = make_config(key, cert);
  const socket = await bind(Number(port));
  const local = { host: "127.0.0.1", port: Number(port) };
  const drivers = new Map();  // by connection ID: the one that the client chose first, and ours

  const accept = (id, remote) => {
    const ours = crypto.randomBytes(16);
    const connection = quiche.Connection.accept(ours, null, local, remote, config);
    const names = [id, ours.toString("hex")];
    const driver = new Driver(connection, socket, remote, make_responder(body), () => {
      for (const name of names) drivers.delete(name);
    });
    for (const name of names) drivers.set(name, driver);
    return driver;
  };
  socket.on("message", (bytes, from) => {
    let header;
    try {
      header = quiche.Header.fromSlice(bytes, 16);
    } catch {
      return;
    }
    const id = Buffer.from(header.dcid).toString("hex");
    const driver = drivers.get(id) ?? (header.ty === 0 ? accept(id, { host: from.address, port: from.port }) : null);
    driver?.receive(bytes);
  });
}

const [role, ...words] = process.argv.slice(2);
const roles = { client, server };
if (!(role in roles)) fail("usage: server PORT KEY CERT FILE | client PORT PATH OUT");
await roles[role](...words);
