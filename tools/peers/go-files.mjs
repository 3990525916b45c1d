import { join, parse } from 'node:path';
import { findGo } from './go-programs.mjs';
import { runCommand } from './run-command.mjs';

/**
 * A folder of a Go module's sources, in Go's own cache; nothing is built.
 *
 * @param {{module: string, sum: string, folder: string}} files `path@version`, the sum that go.sum would have for it,
 *   and the folder in the module
 * @param {string} [program] Go's; found if it is not given
 * @returns {Promise<string>}
 * @throws Error if there is no Go, the module cannot be had, or its content is another
 */
export async function goFiles({ module, sum, folder }, program) {
  const go = program ?? (await findGo(module));
  const { ok, stdout, output } = await runCommand(go, ['mod', 'download', '-json', module], {
    // Outside of any module, whose requirements would count. Every user may put a go.mod into the temporary directory.
    cwd: parse(process.execPath).root,
    // The sum is compared below, so no database of sums is asked. A workspace would count as a module does.
    env: { ...process.env, GOSUMDB: 'off', GOWORK: 'off' },
  });
  if (!ok) throw new Error(`go mod download ${module} failed:\n${output}`);
  const { Dir, Sum } = JSON.parse(stdout);
  if (Sum !== sum) throw new Error(`${module} has the sum ${Sum}, and ${sum} was expected.`);
  return join(Dir, folder);
}
