import { DatabaseError } from 'pg';

/** SQLSTATEs of a login that the server refuses: a wrong password, or no such login. */
const REFUSED_LOGINS = ['28P01', '28000'];

export interface AddressParts {
  /** postgres://login:password@host:port/database */
  url: string;
  /** Certificates (PEM). If given, connections are TLS, and the server's certificate must be theirs and name its host. */
  certificateAuthorities?: string | undefined;
}

/**
 * Where and as whom new connections are made. It can be replaced while the service runs. PostgreSQL knows one password
 * for each login, so the former address stays in reserve: if a login is refused, the other address is tried. A new
 * password may therefore reach the service before or after it reaches the database.
 */
export class DatabaseAddress {
  private former: AddressParts | undefined;

  constructor(private parts: AddressParts) {}

  get url(): string {
    return this.parts.url;
  }

  get certificateAuthorities(): string | undefined {
    return this.parts.certificateAuthorities;
  }

  /** Makes new connections at another address, with the present one in reserve. */
  replace(parts: AddressParts): void {
    if (parts.url !== this.parts.url) this.former = this.parts;
    this.parts = parts;
  }

  /**
   * Takes the address in reserve if the error is a refused login at the given URL.
   *
   * @returns whether there is another address than the one that was tried
   */
  refuses(tried: string, error: unknown): boolean {
    if (!isRefusedLogin(error) || this.former === undefined) return false;
    if (tried === this.url) [this.parts, this.former] = [this.former, this.parts];
    return tried !== this.url;
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
