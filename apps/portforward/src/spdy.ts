/**
 * SPDY/3.1, as far as a port forward needs it: the kubelet speaks it, and the API server carries it in a WebSocket. Frames
 * begin with eight bytes; all numbers are big-endian.
 */
const HEAD_BYTES = 8;
const CONTROL = 0x80030000;
const [SYN_STREAM, SYN_REPLY, RST_STREAM, PING, GOAWAY] = [1, 2, 3, 6, 7];
const FIN = 1;
const CANCEL = 5;
/** Control frames are a few bytes; a longer one is no SPDY. */
const LONGEST_CONTROL = 64 * 1024;
/**
 * How a stream of compressed headers begins: zlib's own two bytes and the checksum of SPDY/3's dictionary. Stored blocks
 * follow, which need neither the dictionary nor a compressor.
 */
const ZLIB_HEAD = Buffer.from('78bbe3c6a7c2', 'hex');
const STORED_HEAD_BYTES = 5;
/** An empty stored block: a reader passes on what it has only when it comes. */
const FLUSH = Buffer.from('000000ffff', 'hex');

/** Opens a stream. The headers of the first stream of a connection begin the compressed data. */
export function synStream(
  streamId: number,
  headers: Record<string, string>,
  { isFirst }: { isFirst: boolean },
): Buffer {
  const pairs = Object.entries(headers).flat().map(sized);
  const text = Buffer.concat([numberOf(pairs.length / 2), ...pairs]);
  const stored = Buffer.alloc(STORED_HEAD_BYTES);
  stored.writeUInt16LE(text.length, 1);
  stored.writeUInt16LE(0xffff - text.length, 3);
  const ids = Buffer.concat([numberOf(streamId), Buffer.alloc(6)]);
  return control(SYN_STREAM, [ids, ...(isFirst ? [ZLIB_HEAD] : []), stored, text, FLUSH]);
}

/** Returns the head of a data frame, which is sent before its bytes. */
export function dataHead(streamId: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD_BYTES);
  head.writeUInt32BE(streamId);
  head.writeUInt32BE(length, 4);
  return head;
}

/** Ends the sending half of a stream. */
export function finFrame(streamId: number): Buffer {
  const frame = dataHead(streamId, 0);
  frame[4] = FIN;
  return frame;
}

/** Gives a stream up. */
export const resetFrame = (streamId: number): Buffer =>
  control(RST_STREAM, [numberOf(streamId), numberOf(CANCEL)]);

export const pingFrame = (id: number): Buffer => control(PING, [numberOf(id)]);

function control(type: number, parts: Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  return Buffer.concat([numberOf((CONTROL | type) >>> 0), numberOf(payload.length), payload]);
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function sized(text: string): Buffer {
  return Buffer.concat([numberOf(Buffer.byteLength(text)), Buffer.from(text)]);
}

/** The handler of frames that arrive. Data comes in parts, as it was received. */
export interface FrameHandler {
  streamAccepted(streamId: number): void;
  data(streamId: number, part: Buffer): void;
  streamEnded(streamId: number): void;
  streamReset(streamId: number): void;
  pinged(id: number): void;
  /** The other side takes no more streams. */
  goAway(): void;
}

/** A control frame that has begun. */
interface ControlFrame {
  type: number;
  flags: number;
  payload: Buffer;
  /** Bytes of the payload that have come. */
  filled: number;
}

/** A data frame that has begun. */
interface DataFrame {
  streamId: number;
  /** Bytes that have not come. */
  left: number;
  isLast: boolean;
}

/**
 * Takes the bytes of a connection apart. Frames may begin and end anywhere in them, so each byte of a head and a control
 * frame is copied once, to its place.
 */
export class FrameReader {
  private readonly head = Buffer.alloc(HEAD_BYTES);
  /** Bytes of the head that have come. */
  private headBytes = 0;
  private controlFrame: ControlFrame | undefined;
  private dataFrame: DataFrame | undefined;

  constructor(private readonly handler: FrameHandler) {}

  /** @throws Error if the bytes are no SPDY */
  read(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) {
      if (this.dataFrame) rest = this.readData(this.dataFrame, rest);
      else if (this.controlFrame) rest = this.readControl(this.controlFrame, rest);
      else rest = this.readHead(rest);
    }
  }

  private readData(frame: DataFrame, bytes: Buffer): Buffer {
    const part = bytes.subarray(0, frame.left);
    frame.left -= part.length;
    if (frame.left === 0) this.dataFrame = undefined;
    this.handler.data(frame.streamId, part);
    if (frame.left === 0 && frame.isLast) this.handler.streamEnded(frame.streamId);
    return bytes.subarray(part.length);
  }

  private readControl(frame: ControlFrame, bytes: Buffer): Buffer {
    const copied = bytes.copy(frame.payload, frame.filled);
    frame.filled += copied;
    if (frame.filled === frame.payload.length) {
      this.controlFrame = undefined;
      this.control(frame.type, frame);
    }
    return bytes.subarray(copied);
  }

  private readHead(bytes: Buffer): Buffer {
    const copied = bytes.copy(this.head, this.headBytes);
    this.headBytes = (this.headBytes + copied) % HEAD_BYTES;
    if (this.headBytes === 0) this.beginFrame();
    return bytes.subarray(copied);
  }

  private beginFrame(): void {
    const word = this.head.readUInt32BE(0);
    const flags = this.head.readUInt8(4);
    const length = this.head.readUIntBE(5, 3);
    if (word < 0x80000000) {
      return this.begin({ streamId: word, left: length, isLast: (flags & FIN) !== 0 });
    }
    if (length > LONGEST_CONTROL) throw new Error('it sent no SPDY');
    const frame = { type: word & 0xffff, flags, payload: Buffer.alloc(length), filled: 0 };
    if (length > 0) this.controlFrame = frame;
    else this.control(frame.type, frame);
  }

  private begin(frame: DataFrame): void {
    if (frame.left > 0) this.dataFrame = frame;
    else if (frame.isLast) this.handler.streamEnded(frame.streamId);
  }

  private control(type: number, { flags, payload }: Pick<ControlFrame, 'flags' | 'payload'>): void {
    if (type === GOAWAY) return this.handler.goAway();
    if (![SYN_REPLY, RST_STREAM, PING].includes(type)) return;
    if (payload.length < 4) throw new Error('it sent no SPDY');
    const id = payload.readUInt32BE(0);
    if (type === PING) return this.handler.pinged(id);
    if (type === RST_STREAM) return this.handler.streamReset(id);
    this.handler.streamAccepted(id);
    if ((flags & FIN) !== 0) this.handler.streamEnded(id);
  }
}
