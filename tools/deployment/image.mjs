import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Builds a service for its image. @returns its files, and the npm packages that are in them */
export async function buildImage(root, service, outdir) {
  await promisify(execFile)(
    process.execPath,
    [join(root, 'tools/build/build.mjs'), `apps/${service}`, outdir],
    {
      cwd: root,
    },
  );
  const files = await readdir(outdir, { recursive: true });
  const maps = files.filter((file) => file.endsWith('.js.map'));
  const sources = await Promise.all(
    maps.map(async (file) => JSON.parse(await readFile(join(outdir, file), 'utf8')).sources),
  );
  const packages = sources.flat().flatMap((source) => packageOf(source) ?? []);
  return { files, packages: new Set(packages) };
}

/** The innermost npm package that a source belongs to; undefined for the repository's own. */
const packageOf = (source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
