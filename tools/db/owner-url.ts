import { readValueFile } from '@plat/local';

type Environment = Record<string, string | undefined>;

/**
 * The owner's URL of the database to work on. With DATABASE_CA_FILE connections are TLS, and the certificate must be of
 * those authorities and name the host (libpq's `verify-full`).
 *
 * @param variable the name of the variable, for the message
 * @throws Error when the variable is unset or no address of a database, and when DATABASE_CA is set, which would otherwise
 * leave the connection without TLS; the variable's value is never part of the message
 */
export function ownerUrlOf(
  { DATABASE_URL: url, DATABASE_CA: text, DATABASE_CA_FILE: authorities }: Environment,
  variable = 'DATABASE_URL',
): string {
  if (text) throw new Error('DATABASE_CA is not read here: name a file of it in DATABASE_CA_FILE.');
  if (!url) throw new Error(`${variable} is not set: name the database as its owner.`);
  if (!/^postgres(ql)?:\/\/[^/]+\/.+/.test(url) || !URL.canParse(url)) {
    throw new Error(`${variable} must be postgres://owner:password@host:port/database.`);
  }
  return authorities ? withAuthorities(url, authorities, variable) : url;
}

function withAuthorities(address: string, file: string, variable: string): string {
  const url = new URL(address);
  if ([...url.searchParams.keys()].some((name) => name.startsWith('ssl'))) {
    throw new Error(
      `${variable} must have no sslmode, sslrootcert or ssl, because DATABASE_CA_FILE decides.`,
    );
  }
  expectReadable(file);
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', file);
  return url.href;
}

function expectReadable(file: string): void {
  try {
    readValueFile(file);
  } catch (error) {
    throw new Error(`DATABASE_CA_FILE: ${file} ${(error as Error).message}`);
  }
}
