import type { EnvironmentName } from '@plat/environments';
import { removeField } from '../config/config-document';
import { scopedConfigPath } from '../config/config-scope';
import { changeConfigFile } from '../config/config-store';

/** Writes whether the environment is stopped, so that a deploy leaves it as it is. Decisions H8 and H11. */
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
