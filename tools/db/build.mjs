import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle, workspaceRoot } from '../build/bundle.mjs';

const MIGRATIONS = join('libs', 'database', 'migrations');

/** The database job with its migrations, which it finds two levels above its program, as among the sources. */
export default async function build({ outdir }) {
  const result = await bundle({
    entryPoints: { main: 'tools/db/main.ts' },
    outdir: join(outdir, 'tools', 'db'),
    bundlePackages: true,
  });
  await cp(join(workspaceRoot, MIGRATIONS), join(outdir, MIGRATIONS), { recursive: true });
  await writeFile(join(outdir, 'main.js'), "require('./tools/db/main.js');\n");
  return result;
}
