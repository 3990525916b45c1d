import { StringDecoder } from 'node:string_decoder';
import { ApiUnreachable } from './failures';
import { dataHead, finFrame, resetFrame, synStream } from './spdy';

/** The session that carries a connection. */
export interface Carrier {
  /** Bytes that wait for the API server. */
  waiting: number;
  send(frames: Buffer, flushed?: () => void): void;
  /** Nothing is read while a connection is paused. */
  pause(connection: PodConnection): void;
  resume(connection: PodConnection): void;
  isPaused(connection: PodConnection): boolean;
  /** Another connection has the session as well. */
  isShared(): boolean;
  /** An answer to a ping may wait, though the node is alive. */
  isBlocked(): boolean;
  ping(): void;
  /** Another connection may come in addition to this one. */
  spare(): void;
  /** No other connection may come any more. */
  claim(): void;
  /** The connection is over on both sides. */
  release(connection: PodConnection): void;
  /** The connection has ended without the pod. @returns false if there are others, so that the pod must be notified */
  drop(connection: PodConnection): boolean;
}

/** Receives the events of a connection; none after `ended` or `failed`. */
export interface PodListener {
  data(data: Buffer): void;
  /** The pod has sent everything and its end. */
  ended(): void;
  failed(message: string): void;
  /** The node is alive: a ping was answered, or something came. */
  answered(): void;
}

interface StreamIds {
  port: number;
  errorId: number;
  dataId: number;
  isFirst: boolean;
}

/** How long the pod may take to end, after this side has. */
const END_MS = 5000;
/** More than this is not read before there is a listener. */
const EARLY_BYTES_MAX = 64 * 1024;
/** A longer message of an error is cut. */
const LONGEST_MESSAGE = 4096;

/** One connection to a port of a pod: a stream of data, and one on which the node says why it failed. */
export class PodConnection {
  /** Fails if the session ends before. */
  readonly accepted: Promise<void>;
  /** Bytes to the pod since its last byte. */
  unanswered = 0;
  private accept: () => void = () => undefined;
  private refuse: (error: Error) => void = () => undefined;
  private listener: PodListener | undefined;
  /** The data that came before there was a listener. */
  private readonly early: Buffer[] = [];
  private earlyBytes = 0;
  private readonly awaited: Set<number>;
  private readonly open: Set<number>;
  private message = '';
  /** A part may end in the middle of a character. */
  private readonly decoder = new StringDecoder('utf8');
  private failure: string | undefined;
  private isSpare = false;
  private isOver = false;
  private hasEnded = false;
  private endTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly carrier: Carrier,
    private readonly ids: StreamIds,
  ) {
    const { errorId, dataId, port, isFirst } = ids;
    this.awaited = new Set([errorId, dataId]);
    this.open = new Set([errorId, dataId]);
    this.accepted = new Promise((resolve, reject) => {
      this.accept = resolve;
      this.refuse = reject;
    });
    const headers = { port: String(port), requestid: String(errorId) };
    carrier.send(
      Buffer.concat([
        synStream(errorId, { streamtype: 'error', ...headers }, { isFirst }),
        synStream(dataId, { streamtype: 'data', ...headers }, { isFirst: false }),
      ]),
    );
  }

  get isPaused(): boolean {
    return this.carrier.isPaused(this);
  }

  get isShared(): boolean {
    return this.carrier.isShared();
  }

  /** An answer to a ping may wait, though the node is alive: behind another connection's data, too. */
  get isBlocked(): boolean {
    return this.carrier.isBlocked();
  }

  /** Bytes that wait for the API server. */
  get waiting(): number {
    return this.carrier.waiting;
  }

  /** Calls the listener from now on, and at once with the events that came before. */
  listen(listener: PodListener): void {
    this.listener = listener;
    // Before: the listener may pause it.
    this.resume();
    for (const data of this.early.splice(0)) listener.data(data);
    if (this.failure !== undefined) listener.failed(this.failure);
    else if (this.open.size === 0) listener.ended();
  }

  pause(): void {
    if (!this.isOver) this.carrier.pause(this);
  }

  resume(): void {
    this.carrier.resume(this);
  }

  ping(): void {
    this.carrier.ping();
  }

  /** @param flushed called when the system has taken it */
  send(data: Buffer, flushed: () => void): void {
    this.unanswered += data.length;
    this.carrier.send(Buffer.concat([dataHead(this.ids.dataId, data.length), data]), flushed);
  }

  /**
   * This side sends no more and has taken all that came. Most likely nothing comes any more, so the session may carry
   * another connection; not once more of the reply comes.
   */
  spare(): void {
    if (this.isOver || this.isSpare || this.isBlocked) return;
    this.isSpare = true;
    this.carrier.spare();
  }

  /** Sends the end, and throws away what still comes until the pod's. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.carrier.send(finFrame(this.ids.dataId));
    this.resume();
    if (this.open.size === 0) return this.release();
    this.endTimer = setTimeout(() => this.terminate(), END_MS);
  }

  /** Ends it at once, without the pod's end. */
  terminate(): void {
    if (!this.settle()) return;
    this.refuse(new ApiUnreachable('The connection was given up.', false));
    if (this.carrier.drop(this)) return;
    const { dataId, errorId } = this.ids;
    this.carrier.send(Buffer.concat([resetFrame(dataId), resetFrame(errorId)]));
  }

  owns(streamId: number): boolean {
    return streamId === this.ids.errorId || streamId === this.ids.dataId;
  }

  streamAccepted(streamId: number): void {
    if (!this.awaited.delete(streamId)) return;
    // This side says nothing on it. Before the acceptance the node would not hear the end.
    if (streamId === this.ids.errorId) this.carrier.send(finFrame(streamId));
    if (this.awaited.size === 0) this.accept();
  }

  data(streamId: number, part: Buffer): void {
    if (streamId === this.ids.errorId) {
      this.message = (this.message + this.decoder.write(part)).slice(0, LONGEST_MESSAGE);
      return;
    }
    this.unanswered = 0;
    if (this.hasEnded || this.isOver) return;
    if (this.isSpare) this.carrier.claim();
    if (this.listener) return this.listener.data(part);
    this.early.push(part);
    this.earlyBytes += part.length;
    // It is paused only then, because another connection may share the session.
    if (this.earlyBytes > EARLY_BYTES_MAX) this.pause();
  }

  /** The pod's end counts once both streams have ended: the reason of a failure comes after the end of the data. */
  streamEnded(streamId: number): void {
    if (!this.open.delete(streamId)) return;
    if (streamId === this.ids.errorId && this.message) return this.failed(this.message);
    if (this.open.size > 0) return;
    if (this.hasEnded) return this.release();
    if (!this.isOver) this.listener?.ended();
  }

  streamReset(): void {
    this.failed(this.message || 'The pod reset the connection.');
  }

  failed(message: string): void {
    if (!this.settle()) return;
    this.failure = message;
    this.refuse(new ApiUnreachable(message, false));
    this.carrier.drop(this);
    if (!this.hasEnded) this.listener?.failed(message);
  }

  answered(): void {
    this.listener?.answered();
  }

  private release(): void {
    if (this.settle()) this.carrier.release(this);
  }

  private settle(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.endTimer);
    return true;
  }
}
