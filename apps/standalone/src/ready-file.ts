import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writePrivateFile } from '@plat/local';

/** The content of the ready file, for scripts and tests. It has mode 0600: it holds tokens and the owner's password. */
export interface ReadyReport {
  apiUrl: string;
  /** The org-scoped issuer, shared by acme, globex and ops. */
  issuer: string;
  /** The single-tenant issuer of solo. */
  soloIssuer: string;
  /** The owner's connection URL. */
  databaseUrl: string;
  pid: number;
  accounts: Readonly<Record<string, ReadyAccount>>;
  /** Environment ids by `<tenant>/<name>`. */
  environments: Readonly<Record<string, string>>;
}

export interface ReadyAccount {
  tenant?: string;
  tenantId?: string;
  /** Absent for a person who is not enrolled. */
  userId?: string;
  subject: string;
  roles: readonly string[];
  /** A bearer token, valid for 24 hours. */
  token: string;
}

export async function writeReadyFile(path: string, report: ReadyReport): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writePrivateFile(path, `${JSON.stringify(report, null, 2)}\n`);
}
