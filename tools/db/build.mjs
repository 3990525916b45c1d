import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle, workspaceRoot } from '../build/bundle.mjs';

const SQL = ['migrations', 'functions'].map((folder) => join('libs', 'database', folder));

/** The database job with its SQL, which it finds two levels above its program, as among the sources. */
export default async function build({ outdir }) {
  const result = await bundle({
    entryPoints: { main: 'tools/db/main.ts' },
    outdir: join(outdir, 'tools', 'db'),
    bundlePackages: true,
  });
  for (const folder of SQL) await cp(join(workspaceRoot, folder), join(outdir, folder), { recursive: true });
  await writeFile(join(outdir, 'main.js'), "require('./tools/db/main.js');\n");
  return result;
}
