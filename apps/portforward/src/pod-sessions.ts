import { type PodSession } from './pod-session';
import { type ReadyPod } from './ready-pods';

/**
 * An unused session is closed after this time. Within it, a sleep or a change of network rarely ends a session
 * unnoticed.
 */
const UNUSED_MS = 15_000;
/** Credentials may have been taken back since. */
const OLDEST_MS = 60_000;
const MOST_IDLE = 32;

interface Idle {
  session: PodSession;
  uid: string;
  timer: NodeJS.Timeout;
}

/** The sessions of a forward. Those that are free can carry another connection to the same pod. */
export class PodSessions {
  private readonly open = new Set<PodSession>();
  private readonly idle: Idle[] = [];

  /** Keeps the session whenever it is free, for its pod. */
  adopt(session: PodSession, { uid }: ReadyPod): void {
    this.open.add(session);
    session.webSocket.once('close', () => this.open.delete(session));
    session.onFree = () => {
      if (this.idle.length >= MOST_IDLE || session.age > OLDEST_MS) return session.retire();
      const timer = setTimeout(() => this.end(entry), UNUSED_MS);
      const entry = { session, uid, timer };
      this.idle.push(entry);
    };
    session.onClaimed = () => {
      const entry = this.idle.find((candidate) => candidate.session === session);
      if (entry) this.remove(entry);
    };
  }

  /** The one that was used last, which is the caller's from now on. */
  take({ uid }: ReadyPod): PodSession | undefined {
    for (;;) {
      const entry = this.idle.findLast((candidate) => candidate.uid === uid);
      if (!entry) return undefined;
      this.remove(entry);
      if (entry.session.isUsable) return entry.session;
    }
  }

  /** Ends them all, with their connections. */
  close(): void {
    for (const entry of [...this.idle]) this.remove(entry);
    for (const session of this.open) session.terminate();
  }

  private end(entry: Idle): void {
    this.remove(entry);
    entry.session.retire();
  }

  private remove(entry: Idle): void {
    clearTimeout(entry.timer);
    this.idle.splice(this.idle.indexOf(entry), 1);
  }
}
