import { existsSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';
import { forwardFiles, removeForwardFiles } from '@plat/forwards';
import { readConfigDocument, removeField } from '../config/config-document';
import { readConfiguredNames, scopedConfigPath } from '../config/config-scope';
import { changeConfigFile } from '../config/config-store';
import { environmentSessionPath } from '../session/environment-session';

/** The two folders of the client on this machine. */
export interface ClientFolders {
  configFolder: string;
  /** For the state of environments. */
  stateFolder: string;
}

/** The existing files and folders of an environment: forwards, state, configuration. Rule H11. */
export async function filesOf(
  { configFolder, stateFolder }: ClientFolders,
  name: EnvironmentName,
): Promise<string[]> {
  const { tenant, environment } = name;
  const folders = [join(stateFolder, tenant, environment), join(configFolder, tenant, environment)];
  return [...(await forwardFiles(configFolder, name)), ...folders.filter((path) => existsSync(path))];
}

/** The lines of a dry run, in the order of forgetEnvironment. */
export async function planForgetting(folders: ClientFolders, name: EnvironmentName): Promise<string[]> {
  const { configFolder } = folders;
  const { tenant, environment } = name;
  const own = scopedConfigPath(configFolder, { tenant });
  const lines = (await filesOf(folders, name)).map((path) => `remove ${path}`);
  const defaults = await isDefault(own, ['defaultEnvironment', environment]);
  if (defaults) lines.push(`${own}: defaultEnvironment: removed`);
  if (!(await isLast(configFolder, name))) return lines;
  const user = scopedConfigPath(configFolder, {});
  if (await isDefault(user, ['defaultTenant', tenant])) lines.push(`${user}: defaultTenant: removed`);
  const emptied = defaults ? ['defaultEnvironment'] : [];
  const files = await filesOfEmptyTenant(configFolder, tenant, emptied);
  return [...lines, ...files.map((path) => `remove ${path}`)];
}

/** Whether the tenant has no other environment. */
async function isLast(configFolder: string, { tenant, environment }: EnvironmentName): Promise<boolean> {
  const { environments } = await readConfiguredNames(configFolder);
  return !environments.some((other) => other.tenant === tenant && other.environment !== environment);
}

async function isDefault(path: string, [field, value]: [string, string]): Promise<boolean> {
  return existsSync(path) && (await readConfigDocument(path)).content[field] === value;
}

/**
 * Removes everything that this machine keeps of an environment: its session before any other file of its folder, and the
 * file that makes it a configured one last, so that a run that was killed can be repeated. A default that names it goes
 * as well.
 *
 * @returns the removed paths
 */
export async function forgetEnvironment(folders: ClientFolders, name: EnvironmentName): Promise<string[]> {
  const { configFolder } = folders;
  const { tenant, environment } = name;
  const removed = await filesOf(folders, name);
  await dropDefault(configFolder, scopedConfigPath(configFolder, { tenant }), [
    'defaultEnvironment',
    environment,
  ]);
  const last = await isLast(configFolder, name);
  if (last) {
    await dropDefault(configFolder, scopedConfigPath(configFolder, {}), ['defaultTenant', tenant]);
  }
  const own = scopedConfigPath(configFolder, name);
  const folder = dirname(own);
  await rm(environmentSessionPath(configFolder, name), { force: true });
  await removeForwardFiles(configFolder, name);
  const inFolder = (await readdir(folder)).map((file) => join(folder, file));
  for (const path of [join(folders.stateFolder, tenant, environment), ...inFolder]) {
    if (path === own) continue;
    await rm(path, { recursive: true, force: true });
    if (dirname(path) !== folder) await removeIfEmpty(dirname(path));
  }
  if (last) await forgetTenant(configFolder, tenant);
  await rm(own, { force: true });
  await rm(folder, { recursive: true, force: true });
  await removeIfEmpty(dirname(folder));
  return removed;
}

/** Removes the files of a tenant without environments. */
async function forgetTenant(configFolder: string, tenant: string): Promise<void> {
  for (const path of await filesOfEmptyTenant(configFolder, tenant, [])) await rm(path);
}

/**
 * The files of a tenant without environments; none if they say more than which one was the default.
 *
 * @param emptied fields that do not count, since they are removed first
 */
async function filesOfEmptyTenant(
  configFolder: string,
  tenant: string,
  emptied: readonly string[],
): Promise<string[]> {
  const path = scopedConfigPath(configFolder, { tenant });
  const { content, document } = await readConfigDocument(path);
  const comments = [document.commentBefore, document.comment].some((comment) => Boolean(comment));
  if (Object.keys(content).some((field) => !emptied.includes(field)) || comments) return [];
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  return names.filter((one) => /^config\.yaml(?:$|\.)/.test(one)).map((file) => join(folder, file));
}

async function dropDefault(
  configFolder: string,
  path: string,
  [field, value]: [string, string],
): Promise<void> {
  if (!existsSync(path)) return;
  await changeConfigFile({ configFolder, path }, async ({ document, content }) => {
    if (content[field] === value) await removeField(document, [field]);
  });
}

async function removeIfEmpty(folder: string): Promise<void> {
  const left = await readdir(folder).catch(() => ['']);
  if (left.length === 0) await rmdir(folder);
}
