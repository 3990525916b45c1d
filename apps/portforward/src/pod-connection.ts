import type WebSocket from 'ws';
import { ApiUnreachable } from './failures';
import { dataHead, finFrame, synStream } from './spdy';

/** What a connection rests on. */
interface Carrier {
  webSocket: WebSocket;
  /** Takes the connection's place back: both sides have ended it. */
  release(): void;
  terminate(): void;
  ping(): void;
}

/** Who uses a connection is called with what happens; after `ended` or `failed` no more. */
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
/** A longer message of an error is cut. */
const LONGEST_MESSAGE = 4096;

/** One connection to a port of a pod: a stream of data, and one on which the node says why it failed. */
export class PodConnection {
  /** Fails if the session ends before. */
  readonly accepted: Promise<void>;
  private accept: () => void = () => undefined;
  private refuse: (error: Error) => void = () => undefined;
  private listener: PodListener | undefined;
  /** What came before there was a listener. */
  private readonly early: Buffer[] = [];
  private readonly awaited: Set<number>;
  private readonly open: Set<number>;
  private message = '';
  private failure: string | undefined;
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
    const { webSocket } = carrier;
    webSocket.send(synStream(errorId, { streamtype: 'error', ...headers }, { isFirst }));
    webSocket.send(synStream(dataId, { streamtype: 'data', ...headers }, { isFirst: false }));
  }

  get isPaused(): boolean {
    return this.carrier.webSocket.isPaused;
  }

  /** Bytes that wait for the API server. */
  get waiting(): number {
    return this.carrier.webSocket.bufferedAmount;
  }

  /** From now on the listener is called; at once with what has come before. */
  listen(listener: PodListener): void {
    this.listener = listener;
    for (const data of this.early.splice(0)) listener.data(data);
    if (this.failure !== undefined) listener.failed(this.failure);
    else if (this.open.size === 0) listener.ended();
    else this.resume();
  }

  pause(): void {
    if (!this.isOver) this.carrier.webSocket.pause();
  }

  resume(): void {
    // Once it is over, the session may carry another connection.
    if (!this.isOver) this.carrier.webSocket.resume();
  }

  ping(): void {
    this.carrier.ping();
  }

  /** @param flushed called when the system has taken it */
  send(data: Buffer, flushed: () => void): void {
    const { webSocket } = this.carrier;
    webSocket.send(Buffer.concat([dataHead(this.ids.dataId, data.length), data]), flushed);
  }

  /** Sends the end, and throws away what still comes until the pod's. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.carrier.webSocket.send(finFrame(this.ids.dataId));
    this.resume();
    if (this.open.size === 0) return this.release();
    this.endTimer = setTimeout(() => this.terminate(), END_MS);
  }

  /** Ends it at once, without a word to the pod. */
  terminate(): void {
    if (this.isOver) return;
    clearTimeout(this.endTimer);
    this.isOver = true;
    this.carrier.terminate();
  }

  streamAccepted(streamId: number): void {
    if (!this.awaited.delete(streamId)) return;
    // This side says nothing on it. Before the acceptance the node would not hear the end.
    if (streamId === this.ids.errorId) this.carrier.webSocket.send(finFrame(streamId));
    if (this.awaited.size > 0) return;
    // Nothing that comes is lost until somebody listens.
    this.pause();
    this.accept();
  }

  data(streamId: number, part: Buffer): void {
    if (streamId === this.ids.errorId) {
      this.message = (this.message + part.toString('utf8')).slice(0, LONGEST_MESSAGE);
    } else if (streamId === this.ids.dataId && !this.hasEnded && !this.isOver) {
      if (this.listener) this.listener.data(part);
      else this.early.push(part);
    }
  }

  /** The pod's end counts once both streams have ended: the reason of a failure comes after the end of the data. */
  streamEnded(streamId: number): void {
    if (!this.open.delete(streamId)) return;
    if (streamId === this.ids.errorId && this.message) return this.failed(this.message);
    if (this.open.size > 0) return;
    if (this.hasEnded) return this.release();
    if (!this.isOver) this.listener?.ended();
  }

  streamReset(streamId: number): void {
    const isOwn = streamId === this.ids.errorId || streamId === this.ids.dataId;
    if (isOwn) this.failed(this.message || 'The pod reset the connection.');
  }

  failed(message: string): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.endTimer);
    this.failure = message;
    this.refuse(new ApiUnreachable(message, false));
    // A session that has failed is not used again.
    this.carrier.terminate();
    if (!this.hasEnded) this.listener?.failed(message);
  }

  answered(): void {
    this.listener?.answered();
  }

  private release(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.endTimer);
    this.carrier.release();
  }
}
