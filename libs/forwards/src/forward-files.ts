import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type EnvironmentName, isLabel } from '@plat/environments';
import { type Channel, CHANNELS } from './channel';
import { channelFolder, logPathOf, olderLogOf, recordPath } from './forward-record';
import { withoutOpen } from './open-files';
import { isLedAway } from './own-place';

/** The record, the log and its older generation of a channel. @throws RangeError like `recordPath` */
export function pathsOf(configFolder: string, name: EnvironmentName, channel: Channel): string[] {
  const record = recordPath(configFolder, name, channel);
  const log = logPathOf(record);
  return [record, log, olderLogOf(log)];
}

/** Those of an environment's records and logs that exist: no folders, and nothing below a link. */
export async function forwardFiles(configFolder: string, name: EnvironmentName): Promise<string[]> {
  const found: string[] = [];
  for (const path of CHANNELS.flatMap((channel) => pathsOf(configFolder, name, channel))) {
    const there = isLedAway(path) ? undefined : await lstat(path).catch(() => undefined);
    if (there !== undefined && !there.isDirectory()) found.push(path);
  }
  return found;
}

/**
 * Removes what is kept of an environment's forwards, and folders that this leaves empty. Their processes have to be
 * stopped first. Spec: Client, Log retention and cleanup, rule 3.
 *
 * @returns the removed files
 */
export async function removeForwardFiles(configFolder: string, name: EnvironmentName): Promise<string[]> {
  const removed = await removeAll(await forwardFiles(configFolder, name));
  for (const channel of CHANNELS) await removeIfEmpty(dirname(recordPath(configFolder, name, channel)));
  return removed;
}

/** An environment of which this machine keeps a record or a log. */
export interface KeptForward {
  name: EnvironmentName;
  channel: Channel;
}

/** The forwards of which something is kept; other names, and folders that are links, are left alone. */
export async function listKeptForwards(configFolder: string): Promise<KeptForward[]> {
  const found: KeptForward[] = [];
  for (const channel of CHANNELS) {
    for (const folder of (await tenantFolders(configFolder, channel)).filter(({ tenant }) =>
      isLabel(tenant),
    )) {
      const files = await readdir(folder.path).catch(() => []);
      const environments = files.flatMap((file) => /^(.+?)\.(?:json|log|log\.1)$/.exec(file)?.[1] ?? []);
      for (const environment of new Set(environments.filter(isLabel))) {
        found.push({ name: { tenant: folder.tenant, environment }, channel });
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
  const left = (await listKeptForwards(configFolder)).filter(({ name }) => !isKnown(name));
  const paths = left.map(({ name, channel }) => pathsOf(configFolder, name, channel));
  const records = paths.flatMap(([record = '']) => record);
  const logs = paths.flatMap(([, ...both]) => both);
  const removed = await removeAll([...records, ...(await withoutOpen(logs))]);
  for (const channel of CHANNELS) {
    for (const { path } of await tenantFolders(configFolder, channel)) await removeIfEmpty(path);
  }
  return removed;
}

/** @returns the removed files and empty folders; a folder with content is no record and no log, so it stays */
async function removeAll(paths: readonly string[]): Promise<string[]> {
  const removed: string[] = [];
  for (const path of paths) {
    const there = await lstat(path).catch(() => undefined);
    if (there === undefined) continue;
    if (!there.isDirectory()) await rm(path, { force: true });
    else if (!(await removeIfEmpty(path))) continue;
    removed.push(path);
  }
  return removed;
}

/** The tenants' folders of a channel, without links, because what they lead to is elsewhere. */
async function tenantFolders(
  configFolder: string,
  channel: Channel,
): Promise<Array<{ tenant: string; path: string }>> {
  const folder = channelFolder(configFolder, channel);
  if (isLedAway(join(folder, 'any', 'file'))) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ tenant: name, path: join(folder, name) }));
}

/** @returns whether it was removed */
export async function removeIfEmpty(folder: string): Promise<boolean> {
  return rmdir(folder).then(
    () => true,
    () => false,
  );
}
