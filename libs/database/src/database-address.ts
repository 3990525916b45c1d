import { DatabaseError } from 'pg';

/** SQLSTATEs of a login that the server refuses: a wrong password, or no such login. */
const REFUSED_LOGINS = ['28P01', '28000'];

export interface AddressParts {
  /** postgres://login:password@host:port/database */
  url: string;
  /** Certificates (PEM). If given, connections are TLS, and the server's certificate must be theirs and name its host. */
  certificateAuthorities?: string | undefined;
}

/** How long a new connection waits for another address after the only one was refused, in milliseconds. */
const WAIT_MS = 5_000;

/**
 * Where and as whom new connections are made. It can be replaced while the service runs. PostgreSQL knows one password
 * for each login, so the last address that worked stays in reserve until the new one works: if a login is refused, the
 * other address is tried. If the database had the new password first, a new connection waits some seconds for it.
 */
export class DatabaseAddress {
  private former: AddressParts | undefined;
  /** The URL that came last, which may be the one in reserve. */
  private newest: string;
  /** Whether a login at the present URL was accepted. */
  private isAccepted = false;
  private readonly waiting = new Set<() => void>();

  constructor(
    private parts: AddressParts,
    private readonly waitMs = WAIT_MS,
  ) {
    this.newest = parts.url;
  }

  get url(): string {
    return this.parts.url;
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
    } else if (tried === this.url && this.isAccepted) {
      await this.replacement();
    }
    return tried !== this.url;
  }

  /** Resolves when the address is replaced, or after a time. */
  private replacement(): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, this.waitMs);
      this.waiting.add(wake);
    });
  }
}

/** Also if TypeORM or the service's own error has wrapped it. */
function isRefusedLogin(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const answer = (cause as { driverError?: unknown }).driverError ?? cause;
    if (answer instanceof DatabaseError) return REFUSED_LOGINS.includes(answer.code ?? '');
  }
  return false;
}
