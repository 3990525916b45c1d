import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, readlink, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type EnvironmentName, isLabel } from '@plat/environments';
import { type Channel, CHANNELS } from './channel';
import { channelFolder, logPathOf, olderLogOf, recordPath } from './forward-record';

/** The record, the log and its older generation of a channel. */
export function pathsOf(configFolder: string, name: EnvironmentName, channel: Channel): string[] {
  const record = recordPath(configFolder, name, channel);
  const log = logPathOf(record);
  return [record, log, olderLogOf(log)];
}

/**
 * Removes what is kept of an environment's forwards, and folders that this leaves empty. Their processes have to be
 * stopped first. Spec: Client, Log retention and cleanup, rule 3.
 *
 * @returns the removed files
 */
export async function removeForwardFiles(
  configFolder: string,
  name: EnvironmentName,
  channel: Channel,
): Promise<string[]> {
  const removed = await removeAll(pathsOf(configFolder, name, channel));
  await removeIfEmpty(dirname(recordPath(configFolder, name, channel)));
  return removed;
}

/** An environment of which this machine keeps a record or a log. */
export interface KeptForward {
  name: EnvironmentName;
  channel: Channel;
}

/** The forwards of which something is kept; other names, and folders that are links, are left alone. */
export async function keptForwards(configFolder: string): Promise<KeptForward[]> {
  const found: KeptForward[] = [];
  for (const channel of CHANNELS) {
    const folder = channelFolder(configFolder, channel);
    for (const tenant of (await foldersIn(folder)).filter(isLabel)) {
      const files = await namesIn(join(folder, tenant));
      const environments = files.flatMap((file) => /^(.+?)\.(?:json|log|log\.1)$/.exec(file)?.[1] ?? []);
      for (const environment of new Set(environments.filter(isLabel))) {
        found.push({ name: { tenant, environment }, channel });
      }
    }
  }
  return found;
}

/**
 * Removes the records and logs of environments that the configuration does not have, with folders that are left empty. A
 * log that a process still has open is kept, even without a record. Spec: Client, Log retention and cleanup, rules 4, 5.
 *
 * @param known undefined: the configuration was never made, so nothing is removed
 * @returns the removed files
 */
export async function reclaimForwards(
  configFolder: string,
  known: readonly EnvironmentName[] | undefined,
): Promise<string[]> {
  if (known === undefined) return [];
  const isKnown = ({ tenant, environment }: EnvironmentName) =>
    known.some((one) => one.tenant === tenant && one.environment === environment);
  const left = (await keptForwards(configFolder)).filter(({ name }) => !isKnown(name));
  const paths = left.flatMap(({ name, channel }) => pathsOf(configFolder, name, channel));
  const removed = await removeAll(await withoutOpen(paths));
  for (const channel of CHANNELS) {
    const folder = channelFolder(configFolder, channel);
    for (const tenant of await foldersIn(folder)) await removeIfEmpty(join(folder, tenant));
  }
  return removed;
}

/**
 * Moves the state files and logs of an earlier client out of the user's cache folder, without replacing any. Best
 * effort: what cannot be moved stays. Spec: Client, Versioning, rule 3.
 *
 * @param cacheFolder the client's own folder in the user's cache folder
 * @returns the new paths
 */
export async function moveFromCache(
  { cacheFolder, configFolder }: { cacheFolder: string; configFolder: string },
  name: EnvironmentName,
): Promise<string[]> {
  const moved: string[] = [];
  for (const channel of CHANNELS) {
    const folder = join(cacheFolder, channel, name.tenant);
    const olds = ['json', 'log'].map((ending) => join(folder, `${name.environment}.${ending}`));
    for (const [index, path] of pathsOf(configFolder, name, channel).slice(0, 2).entries()) {
      if (await moveTo(olds[index] ?? '', path)) moved.push(path);
    }
    await removeIfEmpty(folder);
  }
  return moved;
}

async function moveTo(old: string, path: string): Promise<boolean> {
  try {
    if (!(await lstat(old)).isFile()) return false;
    if ((await lstat(path).catch(() => undefined)) !== undefined) return false;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(old, path);
    return true;
  } catch {
    return false;
  }
}

async function removeAll(paths: readonly string[]): Promise<string[]> {
  const removed: string[] = [];
  for (const path of paths) {
    const there = await lstat(path).catch(() => undefined);
    if (there === undefined) continue;
    await rm(path, { recursive: true, force: true });
    removed.push(path);
  }
  return removed;
}

/** Those of the paths that no process of this user has open. */
async function withoutOpen(paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  // The operating system names open files without links.
  const real = await Promise.all(paths.map(realPathOf));
  const open = process.platform === 'linux' ? await openFiles() : await openByLsof(real);
  return paths.filter((_path, index) => !open.has(real[index] ?? ''));
}

/** The path without links in its folders; the file itself may be one. */
async function realPathOf(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  return join(folder, basename(path));
}

async function openByLsof(paths: readonly string[]): Promise<Set<string>> {
  const list = promisify(execFile)('lsof', ['-Fn', '--', ...paths]);
  // lsof exits with 1 if one of the files is open by nobody, and lists the others.
  const { stdout } = await list.catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }));
  return new Set([...stdout.matchAll(/^n(.+)$/gm)].map(([, path = '']) => path));
}

async function openFiles(): Promise<Set<string>> {
  const pids = (await namesIn('/proc')).filter((name) => /^\d+$/.test(name));
  const links = await Promise.all(
    pids.map(async (pid) => {
      const files = await namesIn(`/proc/${pid}/fd`);
      return Promise.all(files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')));
    }),
  );
  return new Set(links.flat());
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Without links, because what they lead to is elsewhere. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}
