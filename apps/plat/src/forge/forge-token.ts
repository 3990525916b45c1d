import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ForgeVariables } from '../config/forge-variables';
import { Failure } from '../terminal/failure';
import { hideInOutput } from '../terminal/hidden-secrets';
import { nextStep } from '../terminal/next-step';

/**
 * The token for a forge, by its host, from gh's sources: its variables, otherwise the file of its session. A token for
 * github.com is sent to no other host. Rule G9.
 *
 * @throws Failure NO_FORGE_TOKEN, without a call
 */
export async function forgeToken(host: string, variables: ForgeVariables): Promise<string> {
  const named = isHosted(host) ? variables.token : variables.enterpriseToken;
  const token = named ?? (await ghSessionToken(host, variables.ghFolder));
  if (token !== undefined) return hideInOutput(token);
  const setting = isHosted(host)
    ? nextStep('export GH_TOKEN=$(gh auth token --hostname')
    : nextStep('export GH_ENTERPRISE_TOKEN=$(gh auth token --hostname');
  throw new Failure('NO_FORGE_TOKEN', `There is no token for ${host}.`, {
    details: { host },
    next: nextStep(setting, [host], ')'),
  });
}

/** Whether gh counts the host as the vendor's own. */
export function isHosted(host: string): boolean {
  return host === 'github.com' || host.endsWith('.ghe.com');
}

/** Whether a forge is known at the host: the vendor's own, or one with a session of gh. */
export async function isForgeHost(host: string, { ghFolder }: ForgeVariables): Promise<boolean> {
  return isHosted(host) || (await ghSessionToken(host, ghFolder)) !== undefined;
}

/** Reads gh's file. gh may keep the token in the system's keyring instead, which the file does not show. */
async function ghSessionToken(host: string, folder: string): Promise<string | undefined> {
  const path = join(folder, 'hosts.yml');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { parse } = await import('yaml');
  const token = fieldOf(fieldOf(parsedBy(parse, text, path), host), 'oauth_token');
  return typeof token === 'string' && token !== '' ? token : undefined;
}

function parsedBy(parse: (text: string) => unknown, text: string, path: string): unknown {
  try {
    return parse(text);
  } catch {
    // The parser's own message may quote the line with the token.
    throw new Failure('UNREADABLE_FORGE_SESSION', `${path} is not YAML.`, { next: 'gh auth login' });
  }
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
}
