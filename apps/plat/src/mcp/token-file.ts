import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { writeInPrivateFolder } from '@plat/local';
import { withFileLock } from '../config/file-lock';
import { readSecretFile, type SecretFile } from '../config/secret-file';
import { Failure } from '../terminal/failure';

/** Name of the file in the state folder. It has a dot, so it cannot be a tenant's folder. */
const OWN_TOKEN = 'mcp.token';
const TOKEN_BYTES = 32;
/** The syntax of a bearer token (RFC 6750), long enough not to be guessed. */
const TOKEN = /^[A-Za-z0-9._~+/-]{32,4096}={0,2}$/;

/** A new token: 256 random bits. */
export function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Whether the text can be the token of an MCP server. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/**
 * The file with the token of this user's own servers. It is created once and kept, so that the configuration of an agent
 * stays valid when the server is started again.
 */
export async function ownTokenFile(stateFolder: string): Promise<string> {
  const path = join(stateFolder, OWN_TOKEN);
  if (existsSync(path)) return path;
  await withFileLock(`${path}.lock`, async () => {
    if (!existsSync(path)) await writeInPrivateFolder(path, `${randomToken()}\n`);
  });
  return path;
}

/**
 * The token in a file. A file that Kubernetes mounts may be readable for the group of the pod.
 *
 * @throws Failure MCP_TOKEN_EXPOSED, MCP_TOKEN_UNREADABLE; none repeats the token
 */
export async function readToken(path: string): Promise<string> {
  const holds = 'the token of the MCP server';
  const file: SecretFile = { path, holds, exposedCode: 'MCP_TOKEN_EXPOSED', groupMayRead: true, unreadable };
  const token = (await readSecretFile(file)).trim();
  if (isToken(token)) return token;
  throw unreadable(`${path} holds no token: at least 32 letters and digits in one line.`);
}

function unreadable(message: string): Failure {
  return new Failure('MCP_TOKEN_UNREADABLE', message, {
    next: 'remove the file, then start plat mcp again, which writes another; or name a file with --token-file',
  });
}
