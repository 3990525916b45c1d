import type WebSocket from 'ws';
import { ApiUnreachable } from './failures';
import { PodConnection } from './pod-connection';
import { type FrameHandler, FrameReader, pingFrame } from './spdy';

/** Codes of a WebSocket that was closed on purpose. */
const CLOSED = [1000, 1005];

/**
 * A WebSocket to a pod's node that carries SPDY. It holds one connection to a port of the pod at a time, so that nobody
 * waits for another connection's reader, and another one after that: a dial costs ten times as much.
 */
export class PodSession implements FrameHandler {
  /** Set while nobody uses it and it can take a connection. */
  onFree: (() => void) | undefined;
  private readonly reader = new FrameReader(this);
  private readonly openedAt = performance.now();
  private connection: PodConnection | undefined;
  private lastId = -1;
  private pings = -1;
  private isOver = false;

  /** @param webSocket open and paused */
  constructor(readonly webSocket: WebSocket) {
    webSocket.on('message', (message: Buffer) => this.receive(message));
    webSocket.once('close', (code: number) => this.closed(code));
    webSocket.on('error', (error) =>
      this.connection?.failed(`The connection to the pod failed: ${error.message}`),
    );
    webSocket.resume();
  }

  /** Milliseconds since it was dialed. */
  get age(): number {
    return performance.now() - this.openedAt;
  }

  get isUsable(): boolean {
    return !this.isOver && this.connection === undefined;
  }

  /**
   * A connection to a port of the pod, once the node has taken it. If the signal is aborted, the session ends.
   *
   * @throws ApiUnreachable if the session ends before; the signal's reason
   */
  async connect(port: number, signal: AbortSignal): Promise<PodConnection> {
    const abort = () => this.terminate();
    signal.addEventListener('abort', abort);
    try {
      signal.throwIfAborted();
      if (!this.isUsable) throw new ApiUnreachable('The connection to the node has ended.', true);
      const isFirst = this.lastId < 0;
      const errorId = (this.lastId += 2);
      const dataId = (this.lastId += 2);
      this.connection = new PodConnection(this, { port, errorId, dataId, isFirst });
      await this.connection.accepted;
      return this.connection;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  ping(): void {
    this.webSocket.send(pingFrame((this.pings += 2)));
  }

  /** Ends it at once, with its connection. */
  terminate(): void {
    this.isOver = true;
    this.webSocket.terminate();
  }

  /** Both sides have ended the connection: the session can take another one. */
  release(): void {
    this.connection = undefined;
    this.webSocket.resume();
    if (!this.isOver) this.onFree?.();
  }

  data(streamId: number, part: Buffer): void {
    if (this.connection) this.connection.data(streamId, part);
    else this.terminate();
  }

  streamAccepted(streamId: number): void {
    this.connection?.streamAccepted(streamId);
  }

  streamEnded(streamId: number): void {
    this.connection?.streamEnded(streamId);
  }

  streamReset(streamId: number): void {
    this.connection?.streamReset(streamId);
  }

  pinged(id: number): void {
    // Odd numbers are those of this side.
    if (id % 2 === 1) this.connection?.answered();
    else this.webSocket.send(pingFrame(id));
  }

  goAway(): void {
    this.isOver = true;
  }

  private receive(message: Buffer): void {
    this.connection?.answered();
    try {
      this.reader.read(message);
    } catch (error) {
      this.connection?.failed(`The connection to the pod failed: ${(error as Error).message}`);
      this.terminate();
    }
  }

  private closed(code: number): void {
    this.isOver = true;
    const how = CLOSED.includes(code) ? 'ended' : 'cut';
    this.connection?.failed(`The connection to the pod was ${how} (${code}).`);
  }
}
