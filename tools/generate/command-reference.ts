import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface Cli {
  commandReference(): Promise<string>;
}

/** `docs/cli.md`: the built client's help. No project may import an app, so its bundle is run. */
export async function renderCommandReference(root: string): Promise<string> {
  const build = join(root, 'apps', 'plat', 'build.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [build, '--if-stale'], { cwd: root });
  const bundle = join(dirname(stdout.trim()), 'cli.js');
  const cli = createRequire(bundle)(bundle) as Cli;
  return cli.commandReference();
}
