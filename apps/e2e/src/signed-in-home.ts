import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audiencesOf } from '@plat/contracts/core/token';

interface SessionOf {
  apiUrl: string;
  issuer: string;
  accessToken: string;
}

/** Writes what the client keeps of a sign-in into a home folder, valid for an hour. */
export async function signInHome(home: string, { apiUrl, issuer, accessToken }: SessionOf): Promise<void> {
  const [audience] = audiencesOf(accessToken)!;
  const alias = { name: 'test', kind: 'platform', apiUrl, audience, issuer, clientId: 'plat-cli' };
  const config = join(home, '.config', 'plat');
  const identity = [alias.name, alias.apiUrl, alias.audience, alias.issuer, alias.clientId].join('\n');
  const file = createHash('sha256').update(identity).digest('hex').slice(0, 32);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await mkdir(join(config, 'sessions'), { recursive: true, mode: 0o700 });
  await writeFile(join(config, 'config.yaml'), JSON.stringify({ cloudAliases: [alias] }));
  await writeFile(join(config, 'sessions', `${file}.json`), JSON.stringify({ accessToken, expiresAt }));
}
