import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { DATA_CHANNEL, ERROR_CHANNEL, PORT_BYTES } from './pod-connection';

/** Bytes on their way to the API server above which the local socket is not read. */
const WAITING_BYTES_MAX = 1024 * 1024;
/** The code of a WebSocket whose other end has said that it ends. Without it bytes may be missing. */
const ENDED_IN_ORDER = 1000;
const PING_MILLISECONDS = 20_000;
/**
 * How long the pod may be silent after the local end has sent all. The protocol has no half-close, so the connection
 * ends by the pod, or by this.
 */
const SILENCE_MILLISECONDS_MAX = 10_000;

/** How a connection ended. */
export interface SpliceEnd {
  /** Bytes to the pod and from it. */
  sent: number;
  received: number;
  /** Undefined if both ends ended in order. */
  fault?: string | undefined;
}

/**
 * Connects a local socket with a pod until one of them ends. Both directions wait for their reader. An error of the pod's
 * end resets the local socket at once; a half-close of the local end leaves the other direction open.
 */
export class Splice {
  private sent = 0;
  private received = 0;
  private hasEnded = false;
  private readonly heads = new Map<number, number>([
    [DATA_CHANNEL, PORT_BYTES],
    [ERROR_CHANNEL, PORT_BYTES],
  ]);
  private isAlive = true;
  private silence: NodeJS.Timeout | undefined;
  private readonly pings: NodeJS.Timeout;

  /** @param pod paused */
  constructor(
    private readonly local: Socket,
    private readonly pod: WebSocket,
    /** Called once, before either end is closed. */
    private readonly ended: (end: SpliceEnd) => void,
  ) {
    this.pings = setInterval(() => this.ping(), PING_MILLISECONDS);
    pod.binaryType = 'nodebuffer';
    pod.on('pong', () => (this.isAlive = true));
    pod.on('message', (data) => this.fromPod(data));
    pod.on('close', (code) => {
      if (code === ENDED_IN_ORDER) this.endLocal();
      else this.end('the API server ended the connection');
    });
    pod.on('error', (error) => this.end(`the connection to the API server failed: ${error.message}`));
    local.on('data', (chunk: Buffer) => this.toPod(chunk));
    local.on('drain', () => pod.resume());
    local.on('end', () => this.awaitSilence());
    local.on('error', () => this.end());
    local.on('close', () => this.end());
    pod.resume();
    local.resume();
  }

  private toPod(chunk: Buffer): void {
    this.sent += chunk.length;
    const frame = Buffer.allocUnsafe(chunk.length + 1);
    frame[0] = DATA_CHANNEL;
    frame.set(chunk, 1);
    this.pod.send(frame, () => {
      if (this.pod.bufferedAmount <= WAITING_BYTES_MAX) this.local.resume();
    });
    if (this.pod.bufferedAmount > WAITING_BYTES_MAX) this.local.pause();
  }

  private fromPod(data: RawData): void {
    const frame = data as Buffer;
    const [channel = DATA_CHANNEL] = frame;
    const head = this.heads.get(channel) ?? 0;
    const skipped = Math.min(head, frame.length - 1);
    this.heads.set(channel, head - skipped);
    const content = frame.subarray(1 + skipped);
    if (content.length === 0) return;
    if (channel === ERROR_CHANNEL) return this.end(content.toString('utf8').trim());
    this.received += content.length;
    if (this.silence !== undefined) this.awaitSilence();
    if (!this.local.write(content)) this.pod.pause();
  }

  /** The pod's end has ended: the local end gets what is on its way, then its end. */
  private endLocal(): void {
    if (this.hasEnded) return;
    // From now on only the local reader is waited for, however slow it is.
    clearInterval(this.pings);
    clearTimeout(this.silence);
    this.local.end(() => this.end());
  }

  private awaitSilence(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.end(), SILENCE_MILLISECONDS_MAX);
  }

  private ping(): void {
    // While the local end does not read, no answer is read either.
    if (this.pod.isPaused) return void (this.isAlive = true);
    if (!this.isAlive) return this.end('the API server does not answer a ping');
    this.isAlive = false;
    this.pod.ping();
  }

  private end(fault?: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearInterval(this.pings);
    clearTimeout(this.silence);
    this.ended({ sent: this.sent, received: this.received, fault });
    if (fault === undefined) this.local.destroy();
    else this.local.resetAndDestroy();
    this.pod.terminate();
  }
}
