import type { WatchedKind } from '@plat/contracts/core';
import type { Database, TenantScope } from '@plat/database';
import type { Log } from '../log/log';
import { VersionRounds } from './version-rounds';
import { type Version, type Waiter, WakeUps } from './wake-ups';

/** Something that a request waits for, as its caller sees it. */
export interface WatchedKey {
  scope: Pick<TenantScope, 'tenantId' | 'proof' | 'acrossTenants'>;
  kind: WatchedKind;
  /** The id of a review or gate run, or the target branch of a queue; undefined for every queue. */
  id: string | undefined;
}

/**
 * Why a wait ended: its subject may have changed, it changes with time now, the time to wait is over, the service ends, or
 * the caller has gone away.
 */
export type WaitEnd = 'changed' | 'due' | 'over' | 'ending' | 'gone';

export interface WaitersOptions {
  /** Shortest time between two statements, in milliseconds. */
  againMs: number;
  /** Most requests that wait at once. */
  most: number;
  /** Most requests of one tenant. */
  mostOfTenant: number;
}

const DEFAULTS: WaitersOptions = { againMs: 1000, most: 4000, mostOfTenant: 1000 };

interface VersionRow {
  place: number;
  version: Version;
}

/**
 * The requests of a process that wait for a change. However many they are, one statement a second asks for the versions of
 * all that they wait for, and none if no request waits. A tenant whose versions take long to read has a statement of its own.
 * A waiting request holds no connection.
 */
export class Waiters {
  private readonly wakeUps = new WakeUps<WatchedKey>(nameOf);
  /** The waits of each tenant, the oldest first. */
  private readonly ofTenant = new Map<string, Set<Wait>>();
  private readonly endings = new Set<() => void>();
  private readonly options: WaitersOptions;
  private readonly rounds: VersionRounds;
  private ended = false;

  constructor(
    private readonly database: Pick<Database, 'run'>,
    log: Pick<Log, 'warn'>,
    options: Partial<WaitersOptions> = {},
  ) {
    this.options = { ...DEFAULTS, ...options };
    this.rounds = new VersionRounds({
      againMs: this.options.againMs,
      groups: () => new Set(this.wakeUps.keys.map(([, { scope }]) => scopeName(scope))),
      ask: async (scopes) => {
        const versions = await this.ask(this.keysOf(scopes));
        return () => this.wakeUps.learn(versions);
      },
      // The requests continue to wait. Once an outage is over, the next statement finds what has changed in it.
      failed: (err) => log.warn({ err }, 'versions could not be read, so waiting requests see no change'),
      slow: (scope) =>
        log.warn({ scope }, 'the versions that a tenant waits for are slow, so they are read apart'),
    });
  }

  /** How many requests wait. */
  get count(): number {
    return this.wakeUps.waiters;
  }

  /**
   * If all places are held, the oldest wait of the tenant that holds most ends for a tenant that would still hold fewer.
   *
   * @returns undefined if too many wait already, or the service ends: the request is then answered at once
   */
  enter(key: WatchedKey, seconds: number, gone: AbortSignal): Wait | undefined {
    const { tenantId } = key.scope;
    if (this.ended || gone.aborted || !this.hasPlace(tenantId)) return undefined;
    const wait: Wait = new Wait(this.wakeUps.add(key), {
      deadline: performance.now() + seconds * 1000,
      gone,
      endings: this.endings,
      isEnding: () => this.ended,
      isBlind: () => this.rounds.isBlind(scopeName(key.scope)),
      left: () => this.leave(tenantId, wait),
    });
    this.ofTenant.set(tenantId, (this.ofTenant.get(tenantId) ?? new Set()).add(wait));
    this.rounds.soon(scopeName(key.scope));
    return wait;
  }

  /** The version of one key, asked for by a statement of its own. */
  async versionOf(key: WatchedKey): Promise<Version> {
    const [answer] = await this.ask([[nameOf(key), key]]);
    return answer?.[1] ?? null;
  }

  /** Ends every wait, and admits no other from now on. */
  end(): void {
    this.ended = true;
    this.rounds.end();
    for (const end of [...this.endings]) end();
  }

  /** Whether one more wait of the tenant has a place, if need be that of another tenant's. */
  private hasPlace(tenantId: string): boolean {
    const held = this.ofTenant.get(tenantId)?.size ?? 0;
    if (held >= this.options.mostOfTenant) return false;
    if (this.count < this.options.most) return true;
    let most: Set<Wait> | undefined;
    for (const waits of this.ofTenant.values()) if (waits.size > (most?.size ?? held + 1)) most = waits;
    const [oldest] = most ?? [];
    oldest?.giveWay();
    return oldest !== undefined;
  }

  private leave(tenantId: string, wait: Wait): void {
    const waits = this.ofTenant.get(tenantId)!;
    waits.delete(wait);
    if (waits.size === 0) this.ofTenant.delete(tenantId);
  }

  private keysOf(scopes: readonly string[]): [string, WatchedKey][] {
    const wanted = new Set(scopes);
    return this.wakeUps.keys.filter(([, { scope }]) => wanted.has(scopeName(scope)));
  }

  private async ask(keys: [string, WatchedKey][]): Promise<[string, Version][]> {
    const tenants = new Set(keys.map(([, { scope }]) => scope.tenantId));
    const rows = await this.database.run<VersionRow>({
      name: 'reviews_versions_of',
      text: 'SELECT place::int, version FROM reviews.versions_of($1)',
      values: [JSON.stringify(byScope(keys))],
      share: tenants.size === 1 ? [...tenants][0] : undefined,
    });
    return rows.map(({ place, version }) => [keys[place]![0], version]);
  }
}

interface WaitParts {
  /** The end of the time to wait, by the clock of `performance`. */
  deadline: number;
  gone: AbortSignal;
  /** The functions that are called if the service ends. */
  endings: Set<() => void>;
  /** Whether it ends already. */
  isEnding(): boolean;
  isBlind(): boolean;
  left: () => void;
}

/** One request's wait, which may be interrupted by changes that turn out to be none for its caller. */
export class Wait {
  private entered = true;
  private hasGivenWay = false;
  private endNow: (() => void) | undefined;

  constructor(
    private readonly waiter: Waiter,
    private readonly parts: WaitParts,
  ) {}

  /** Whether the last statement failed, so that an unchanged version proves nothing. */
  get isBlind(): boolean {
    return this.parts.isBlind();
  }

  /** The version at the last change; what is read after that is at least as new. */
  get version(): Version {
    return this.waiter.version ?? null;
  }

  /**
   * Resolves with the first change since the last, or with the end. The first call resolves when a version is known.
   *
   * @param dueMs resolves with `due` after this many milliseconds, if the time to wait is not over by then
   */
  next(dueMs = Infinity): Promise<WaitEnd> {
    const { deadline, gone, endings, isEnding } = this.parts;
    if (gone.aborted) return Promise.resolve('gone');
    if (this.waiter.hasNews) return this.changed();
    if (this.hasGivenWay) return Promise.resolve('over');
    // The service has begun to end while the request was reading.
    if (isEnding()) return Promise.resolve('ending');
    return new Promise((resolve) => {
      const end = (how: WaitEnd) => {
        clearTimeout(timer);
        endings.delete(onEnding);
        this.endNow = undefined;
        gone.removeEventListener('abort', onGone);
        resolve(how === 'changed' ? this.changed() : how);
      };
      const onEnding = () => end('ending');
      const onGone = () => end('gone');
      const leftMs = Math.max(deadline - performance.now(), 0);
      const timer = setTimeout(() => end(dueMs < leftMs ? 'due' : 'over'), Math.min(dueMs, leftMs));
      endings.add(onEnding);
      this.endNow = () => end('over');
      gone.addEventListener('abort', onGone, { once: true });
      this.waiter.onNews(() => end('changed'));
    });
  }

  /** Leaves its place to another request. It ends as if its time were over. */
  giveWay(): void {
    this.leave();
    this.hasGivenWay = true;
    this.endNow?.();
  }

  leave(): void {
    if (!this.entered) return;
    this.entered = false;
    this.waiter.leave();
    this.parts.left();
  }

  private changed(): Promise<WaitEnd> {
    this.waiter.see();
    return Promise.resolve('changed');
  }
}

/** The keys as the function takes them: each tenant is entered once. */
function byScope(keys: [string, WatchedKey][]): object[] {
  const scopes = new Map<string, { proof: string; across: boolean; watched: object[] }>();
  keys.forEach(([, { scope, kind, id }], place) => {
    const { proof, acrossTenants: across } = scope;
    const name = scopeName(scope);
    const { watched } = scopes.get(name) ?? scopes.set(name, { proof, across, watched: [] }).get(name)!;
    watched.push({ place, kind, id });
  });
  return [...scopes.values()];
}

const scopeName = ({ tenantId, acrossTenants }: WatchedKey['scope']): string =>
  acrossTenants ? `${tenantId} across` : tenantId;

const nameOf = ({ scope, kind, id }: WatchedKey): string =>
  JSON.stringify([scopeName(scope), kind, id ?? null]);
