import type WebSocket from 'ws';
import { ApiUnreachable } from './failures';
import { type Carrier, PodConnection } from './pod-connection';
import { type FrameHandler, FrameReader, pingFrame } from './spdy';

/** Codes of a WebSocket that was closed on purpose. */
const CLOSED = [1000, 1005];
/** More bytes than this without a reply may wait for a pod that does not read, and all that follows waits behind them. */
const UNREAD_BYTES = 64 * 1024;
/** More answers than this to pings of the node are not kept for a node that does not read them. */
const PING_ANSWERS_MAX = 16;

/**
 * A WebSocket to a pod's node that carries SPDY. It takes one connection to a port of the pod at a time, so that no
 * connection waits for another's reader. It takes the next one when that has ended or is about to end, because a new
 * dial costs many times as much.
 */
export class PodSession implements FrameHandler, Carrier {
  /** Called each time that it can take a connection. */
  onFree: (() => void) | undefined;
  /** Called if it can take no connection after all, although it reported that it can. */
  onClaimed: (() => void) | undefined;
  private readonly reader = new FrameReader(this);
  private readonly openedAt = performance.now();
  private readonly connections = new Set<PodConnection>();
  private readonly paused = new Set<PodConnection>();
  private lastId = -1;
  private pings = -1;
  /** Answers to the node's pings that are not on their way yet. */
  private pingAnswers = 0;
  private isFree = true;
  /** It takes no connection any more, and ends with the last one. */
  private isRetired = false;

  /** @param webSocket open and paused */
  constructor(readonly webSocket: WebSocket) {
    webSocket.on('message', (message: Buffer) => this.receive(message));
    webSocket.once('close', (code: number) => {
      const how = CLOSED.includes(code) ? 'ended' : 'cut';
      this.fail(`The connection to the pod was ${how} (${code}).`);
    });
    webSocket.on('error', (error) => this.fail(`The connection to the pod failed: ${error.message}`));
    webSocket.resume();
  }

  /** Milliseconds since it was dialed. */
  get age(): number {
    return performance.now() - this.openedAt;
  }

  get isUsable(): boolean {
    return this.isFree && !this.isRetired;
  }

  get waiting(): number {
    return this.webSocket.bufferedAmount;
  }

  /**
   * A connection to a port of the pod, once the node has taken it. If the signal is aborted, the session takes no other.
   *
   * @throws ApiUnreachable if the session ends before; the signal's reason
   */
  async connect(port: number, signal: AbortSignal): Promise<PodConnection> {
    signal.throwIfAborted();
    if (!this.isUsable) throw new ApiUnreachable('The connection to the node has ended.', true);
    this.isFree = false;
    const isFirst = this.lastId < 0;
    const errorId = (this.lastId += 2);
    const dataId = (this.lastId += 2);
    const connection = new PodConnection(this, { port, errorId, dataId, isFirst });
    this.connections.add(connection);
    const abort = () => connection.terminate();
    signal.addEventListener('abort', abort);
    try {
      await connection.accepted;
      return connection;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  send(frames: Buffer, flushed?: () => void): void {
    this.webSocket.send(frames, flushed);
  }

  pause(connection: PodConnection): void {
    this.paused.add(connection);
    this.webSocket.pause();
  }

  resume(connection: PodConnection): void {
    if (this.paused.delete(connection) && this.paused.size === 0) this.webSocket.resume();
  }

  isPaused(): boolean {
    return this.webSocket.isPaused;
  }

  isShared(): boolean {
    return this.connections.size > 1;
  }

  isBlocked(): boolean {
    return this.isPaused() || [...this.connections].some(({ unanswered }) => unanswered > UNREAD_BYTES);
  }

  ping(): void {
    this.send(pingFrame((this.pings += 2)));
  }

  spare(): void {
    if (this.isFree || this.isRetired) return;
    this.isFree = true;
    this.onFree?.();
  }

  claim(): void {
    if (!this.isFree) return;
    this.isFree = false;
    this.onClaimed?.();
  }

  release(connection: PodConnection): void {
    this.forget(connection);
    if (this.isRetired) this.retire();
    else if (this.connections.size === 0) this.spare();
  }

  drop(connection: PodConnection): boolean {
    this.forget(connection);
    this.retire();
    return this.connections.size === 0;
  }

  /** Takes no connection any more, and ends with the last one. */
  retire(): void {
    this.isRetired = true;
    if (this.connections.size === 0) this.webSocket.terminate();
  }

  /** Ends it at once, with its connections. */
  terminate(): void {
    this.isRetired = true;
    this.webSocket.terminate();
  }

  data(streamId: number, part: Buffer): void {
    this.owner(streamId)?.data(streamId, part);
  }

  streamAccepted(streamId: number): void {
    this.owner(streamId)?.streamAccepted(streamId);
  }

  streamEnded(streamId: number): void {
    this.owner(streamId)?.streamEnded(streamId);
  }

  streamReset(streamId: number): void {
    this.owner(streamId)?.streamReset();
  }

  pinged(id: number): void {
    // Odd numbers are those of this side.
    if (id % 2 !== 0 || this.pingAnswers >= PING_ANSWERS_MAX) return;
    this.pingAnswers += 1;
    this.send(pingFrame(id), () => (this.pingAnswers -= 1));
  }

  goAway(): void {
    this.isRetired = true;
  }

  private receive(message: Buffer): void {
    // The node's answers to pings, too.
    for (const connection of this.connections) connection.answered();
    try {
      this.reader.read(message);
    } catch (error) {
      this.fail(`The connection to the pod failed: ${(error as Error).message}`);
      this.terminate();
    }
  }

  private fail(message: string): void {
    this.isRetired = true;
    for (const connection of [...this.connections]) connection.failed(message);
  }

  private owner(streamId: number): PodConnection | undefined {
    for (const connection of this.connections) if (connection.owns(streamId)) return connection;
    // The stream belongs to a connection that was given up.
    return undefined;
  }

  private forget(connection: PodConnection): void {
    this.connections.delete(connection);
    this.resume(connection);
  }
}
