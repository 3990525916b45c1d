import type { EnvironmentName } from '@plat/environments';
import { checkDocument } from '../config/config-check';
import { type ConfigDocument, removeField } from '../config/config-document';
import { configPath } from '../config/config-file';
import { scopedConfigPath } from '../config/config-scope';
import { changeConfigFile } from '../config/config-store';
import { Failure } from '../terminal/failure';
import { type FieldChange, initChanges, type InitFields, overwriting } from './init-changes';
import { freePorts } from './port-allocation';

/** The values that `plat init` writes. */
export interface InitFiles {
  configFolder: string;
  name: EnvironmentName;
  given: InitFields;
  defaults: InitFields;
  /** Fields whose values the user agreed to replace. */
  agreed: readonly string[];
  /** Makes the environment the default one, in place of another. */
  setDefault: boolean;
}

/** The written files. */
export interface WrittenFiles {
  /** The file of the environment. */
  path: string;
  created: boolean;
  changes: FieldChange[];
  /** The id of the record on the platform of the alias before; absent unless the alias has changed. */
  leftRecord?: string | undefined;
}

/**
 * Writes the files of the environment, its tenant and the user, each under the lock of the configuration. The lowest
 * free block of ports is taken under the same lock. The first environment of a tenant, and the first tenant, become the
 * defaults. Rules H3, H5 and H6.
 *
 * @throws Failure CHANGED_MEANWHILE, INVALID_VALUE, NO_PORT_BLOCK, CONFIG_UNREADABLE, LOCKED
 */
export async function writeInitFiles(files: InitFiles): Promise<WrittenFiles> {
  const { configFolder, name, setDefault } = files;
  const path = scopedConfigPath(configFolder, name);
  const written: WrittenFiles = { path, created: false, changes: [] };
  await changeConfigFile({ configFolder, path }, async (file) => {
    written.created = file.text === undefined;
    const localPortRangeStart =
      file.content.localPortRangeStart === undefined ? await freePorts(configFolder, name) : undefined;
    const changes = initChanges(file.content, files.given, { ...files.defaults, localPortRangeStart });
    requireAgreed(changes, files);
    written.leftRecord = await removeLeftRecord(file, changes);
    apply(file, changes);
    written.changes = changes;
  });
  const { tenant, environment } = name;
  await setDefaultOf(files, scopedConfigPath(configFolder, { tenant }), ['defaultEnvironment', environment]);
  await setDefaultOf({ configFolder, setDefault }, configPath(configFolder), ['defaultTenant', tenant]);
  return written;
}

/**
 * Removes the id of the record if the alias changes: another platform does not know it, and a 404 of that one would count
 * as a record that is gone.
 *
 * @returns the id
 */
async function removeLeftRecord(
  { document, content }: ConfigDocument,
  changes: readonly FieldChange[],
): Promise<string | undefined> {
  const { environmentId } = content;
  const isLeft = overwriting(changes).some(({ field }) => field === 'alias');
  if (!isLeft || typeof environmentId !== 'string') return undefined;
  await removeField(document, ['environmentId']);
  return environmentId;
}

/** Sets the fields in the document. @throws Failure INVALID_VALUE, which names every wrong field */
export function apply(file: ConfigDocument, changes: readonly FieldChange[]): void {
  for (const { field, to } of changes) file.document.set(field, file.document.createNode(to));
  const content = (file.document.toJS() ?? {}) as Record<string, unknown>;
  const { faults } = checkDocument('environment', { ...file, content });
  if (faults.length === 0) return;
  throw new Failure('INVALID_VALUE', `${faults.map(({ message }) => message).join('; ')}.`, {
    details: { fields: faults.map(({ field }) => field) },
    next: 'repeat the command with a value of that kind; docs/environment-config.md lists the fields',
  });
}

/** Another command may have changed the file since the user was asked. */
function requireAgreed(changes: readonly FieldChange[], { name, agreed }: InitFiles): void {
  const unasked = overwriting(changes).filter(({ field }) => !agreed.includes(field));
  if (unasked.length === 0) return;
  throw new Failure(
    'CHANGED_MEANWHILE',
    `Another command has changed ${unasked.map(({ field }) => field).join(', ')} of ${name.tenant} ${name.environment}.`,
    { next: 'repeat the command' },
  );
}

async function setDefaultOf(
  { configFolder, setDefault }: Pick<InitFiles, 'configFolder' | 'setDefault'>,
  path: string,
  [field, value]: [string, string],
): Promise<void> {
  await changeConfigFile({ configFolder, path }, ({ document, content }) => {
    if (setDefault || content[field] === undefined) document.set(field, value);
  });
}
