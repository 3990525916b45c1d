import type { EnvironmentName } from '@plat/environments';
import { readConfigDocument, removeField } from './config-document';
import { scopedConfigPath } from './config-scope';
import { changeConfigFile } from './config-store';

/** Whether the environment is stopped, by its configuration as it is now. */
export async function readStopped(configFolder: string, name: EnvironmentName): Promise<boolean> {
  const { content } = await readConfigDocument(scopedConfigPath(configFolder, name));
  return content.stopped === true;
}

/** Writes whether the environment is stopped, so that a deploy leaves it as it is. Rules H8 and H11. */
export async function writeStopped(
  configFolder: string,
  name: EnvironmentName,
  stopped: boolean,
): Promise<void> {
  const path = scopedConfigPath(configFolder, name);
  await changeConfigFile({ configFolder, path }, async ({ document, content }) => {
    if (stopped) document.set('stopped', true);
    else if (content.stopped !== undefined) await removeField(document, ['stopped']);
  });
}
