import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

interface Cli {
  commandReference(): Promise<string>;
}

/** `docs/cli.md`: what the built client says of its commands. An app is imported by nobody, so its bundle is asked. */
export async function renderCommandReference(root: string): Promise<string> {
  const build = join(root, 'apps', 'plat', 'build.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [build, '--if-stale'], { cwd: root });
  const bundle = join(dirname(stdout.trim()), 'cli.js');
  const cli = createRequire(bundle)(bundle) as Cli;
  return cli.commandReference();
}
