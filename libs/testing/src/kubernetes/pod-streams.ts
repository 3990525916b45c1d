import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

/** The pod's end of a connection to one of its ports. */
export class PodStream {
  /** Called with what arrives. */
  onData: (data: Buffer) => void = () => undefined;
  /** The other side sends no more. */
  onEnd: () => void = () => undefined;
  /** The other side gave it up. */
  onReset: () => void = () => undefined;

  constructor(
    readonly webSocket: WebSocket,
    readonly port: number,
    private readonly ids: { data: number; error: number },
  ) {}

  send(data: Buffer, sent?: () => void): void {
    this.webSocket.send(dataFrame(this.ids.data, { data, isLast: false }), sent);
  }

  /** Ends it, as a node does after the pod's reply has ended. */
  end(): void {
    for (const id of [this.ids.data, this.ids.error]) {
      this.webSocket.send(dataFrame(id, { data: Buffer.alloc(0), isLast: true }));
    }
  }

  /** Says why it fails, and ends it. */
  fail(message: string): void {
    this.webSocket.send(dataFrame(this.ids.error, { data: Buffer.from(message), isLast: true }));
  }
}

interface Opened {
  stream?: PodStream;
  error?: number;
}

const HEAD_BYTES = 8;
/** The length of two ids and the priority in a frame that opens a stream. */
const IDS_BYTES = 10;
const ZLIB_HEAD_BYTES = 6;
const STORED_HEAD_BYTES = 5;
const FLUSH = '000000ffff';
const FIN = 1;

const PROTOCOL = 'SPDY/3.1+portforward.k8s.io';
/** The name under which `ws` gets the protocol, because it takes no name with a slash. */
const PROTOCOL_HERE = 'spdy';

/** Accepts WebSockets of that protocol, as an API server does. */
export class PodStreamsServer {
  /** The name that it answers with. */
  protocol = PROTOCOL;
  private readonly server = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  constructor() {
    const own = (line: string) => line.replace(/^(Sec-WebSocket-Protocol: ).*/, `$1${this.protocol}`);
    this.server.on('headers', (lines) => lines.splice(0, lines.length, ...lines.map(own)));
  }

  accept(
    request: IncomingMessage,
    socket: Duplex,
    onStream: (stream: PodStream, streams: PodStreams) => void,
  ): void {
    const { headers } = request;
    if (headers['sec-websocket-protocol'] !== PROTOCOL) {
      socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    headers['sec-websocket-protocol'] = PROTOCOL_HERE;
    this.server.handleUpgrade(request, socket, Buffer.alloc(0), (webSocket) => {
      const streams: PodStreams = new PodStreams(webSocket, (stream) => onStream(stream, streams));
    });
  }
}

/**
 * A node's end of the SPDY connection in a WebSocket (`SPDY/3.1+portforward.k8s.io`), as a double. It reads headers that
 * are stored in zlib's format and not compressed.
 */
export class PodStreams {
  /** Called at each ping, which is answered if it returns true. */
  onPing: () => boolean = () => true;
  private received = Buffer.alloc(0);
  private hasHeaders = false;
  private readonly requests = new Map<string, Opened>();
  private readonly streams = new Map<number, PodStream>();

  constructor(
    private readonly webSocket: WebSocket,
    private readonly onStream: (stream: PodStream) => void,
  ) {
    webSocket.on('message', (message: Buffer) => this.receive(message));
    webSocket.on('error', () => undefined);
    // Each stream waits for its close.
    webSocket.setMaxListeners(0);
  }

  private receive(message: Buffer): void {
    this.received = Buffer.concat([this.received, message]);
    while (this.received.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + this.received.readUIntBE(5, 3);
      if (this.received.length < end) return;
      const frame = this.received.subarray(0, end);
      this.received = this.received.subarray(end);
      this.handle(frame);
    }
  }

  private handle(frame: Buffer): void {
    const [word, flags, payload] = [frame.readUInt32BE(0), frame[4], frame.subarray(HEAD_BYTES)];
    if (word < 0x80000000) {
      const stream = this.streams.get(word);
      if (payload.length > 0) stream?.onData(payload);
      if (flags === FIN) stream?.onEnd();
      return;
    }
    const type = word & 0xffff;
    if (type === 1) this.open(payload);
    if (type === 3) this.streams.get(payload.readUInt32BE(0))?.onReset();
    if (type === 6 && this.onPing()) this.webSocket.send(frame);
  }

  private open(payload: Buffer): void {
    const id = payload.readUInt32BE(0);
    const start = IDS_BYTES + (this.hasHeaders ? 0 : ZLIB_HEAD_BYTES) + STORED_HEAD_BYTES;
    this.hasHeaders = true;
    const { port, requestid = '', streamtype } = headersIn(payload.subarray(start));
    const request = this.requests.get(requestid) ?? {};
    this.requests.set(requestid, request);
    this.webSocket.send(replyFrame(id));
    if (streamtype === 'error') {
      request.error = id;
      return;
    }
    const stream = new PodStream(this.webSocket, Number(port), { data: id, error: request.error ?? 0 });
    this.streams.set(id, stream);
    this.onStream(stream);
  }
}

function headersIn(block: Buffer): Record<string, string> {
  const words: string[] = [];
  const end = block.length - FLUSH.length / 2;
  if (block.toString('hex', end) !== FLUSH) throw new Error('The headers are not flushed.');
  for (let at = 4; at < end;) {
    const length = block.readUInt32BE(at);
    words.push(block.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  const pairs = words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? '']] : []));
  return Object.fromEntries(pairs) as Record<string, string>;
}

function replyFrame(id: number): Buffer {
  const frame = Buffer.alloc(HEAD_BYTES + 4);
  frame.writeUInt32BE(0x80030002);
  frame.writeUInt32BE(4, 4);
  frame.writeUInt32BE(id, HEAD_BYTES);
  return frame;
}

function dataFrame(id: number, { data, isLast }: { data: Buffer; isLast: boolean }): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(id);
  head.writeUInt32BE(data.length, 4);
  if (isLast) head[4] = FIN;
  return Buffer.concat([head, data]);
}
