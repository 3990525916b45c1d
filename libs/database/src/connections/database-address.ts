import { isRefusedLogin } from './refused-login';

export interface AddressParts {
  /** postgres://login:password@host:port/database */
  url: string;
  /** Certificates (PEM). If given, connections are TLS, and the server's certificate must be theirs and name its host. */
  certificateAuthorities?: string | undefined;
}

export interface AddressTimes {
  /** How long a new connection waits for another address after the only one was refused, in milliseconds. */
  waitMs: number;
  /** How long the newest address rests after it was refused, before a login is tried again, in milliseconds. */
  retryMs: number;
}

const TIMES: AddressTimes = { waitMs: 5_000, retryMs: 5_000 };

/** Makes one connection at an address and ends it. @throws Error if it cannot be made */
export type TryLogin = (parts: AddressParts) => Promise<void>;

/**
 * The address and login of new connections. It can be replaced while the service runs. PostgreSQL knows one password
 * for each login, so the last address that worked stays in reserve until the new one works: if a login is refused, the
 * other address is tried. If the database had the new password first, a new connection waits some seconds for it.
 *
 * While the newest address is refused, a login is tried with it every few seconds, because connections with the former
 * password go on and would hide that the database has changed. A pooler makes its own connections with the password of
 * the last login, and could make none with the former one.
 */
export class DatabaseAddress {
  private former: AddressParts | undefined;
  /** The URL that came last, which may be the one in reserve. */
  private newest: string;
  /** Whether a login at the present URL was accepted. */
  private isAccepted = false;
  private readonly waiting = new Set<() => void>();
  /** Until the next login at the newest address, after it was refused. */
  private retry: NodeJS.Timeout | undefined;
  /** Called once for each new address, if a login there is refused and the former address is used instead. */
  onRefused: () => void = () => undefined;

  constructor(
    private parts: AddressParts,
    private readonly tryLogin?: TryLogin,
    private readonly times: AddressTimes = TIMES,
  ) {
    this.newest = parts.url;
  }

  get url(): string {
    return this.parts.url;
  }

  /** Whether the newest address is refused, and the one before it in use. */
  get isNewestRefused(): boolean {
    return this.url !== this.newest;
  }

  get certificateAuthorities(): string | undefined {
    return this.parts.certificateAuthorities;
  }

  /** Makes new connections at another address, with the last one that worked in reserve. */
  replace(parts: AddressParts): void {
    if (parts.url !== this.parts.url) {
      if (this.isAccepted) this.former = this.parts;
      this.isAccepted = false;
    }
    this.parts = parts;
    this.newest = parts.url;
    this.close();
    for (const wake of this.waiting) wake();
  }

  /** Reports that the database has accepted a login at this URL. */
  accepts(url: string): void {
    if (url === this.url) this.isAccepted = true;
    // The newest one works, so that in reserve is out of use, and the next rotation must not try it.
    if (url === this.newest) this.former = undefined;
  }

  /**
   * Takes the address in reserve if the error is a refused login at the given URL, or waits for a new one if there is
   * none in reserve and this one has worked.
   *
   * @returns whether there is another address than the one that was tried
   */
  async refuses(tried: string, error: unknown): Promise<boolean> {
    if (!isRefusedLogin(error)) return false;
    if (tried === this.url && this.former !== undefined) {
      [this.parts, this.former] = [this.former, this.parts];
      if (this.isNewestRefused && this.retry === undefined) {
        this.onRefused();
        this.retryNewest(this.former);
      }
    } else if (tried === this.url && this.isAccepted) {
      await this.replacement();
    }
    return tried !== this.url;
  }

  /** Tries no further login at a refused address. */
  close(): void {
    clearTimeout(this.retry);
    this.retry = undefined;
  }

  /** Takes the newest address as soon as a login at it is accepted. */
  private retryNewest(parts: AddressParts): void {
    const { tryLogin, times } = this;
    if (tryLogin === undefined) return;
    const retry = setTimeout(() => {
      tryLogin(parts).then(
        () => this.retry === retry && this.resume(parts),
        () => this.retry === retry && this.retryNewest(parts),
      );
    }, times.retryMs).unref();
    this.retry = retry;
  }

  private resume(parts: AddressParts): void {
    this.close();
    this.parts = parts;
    this.accepts(parts.url);
  }

  /** Resolves when the address is replaced, or after a time. */
  private replacement(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, this.times.waitMs);
      this.waiting.add(wake);
    });
  }
}
