import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundle, workspaceRoot } from '../../tools/build/bundle.mjs';

const source = (file) => join('apps', 'plat', 'src', file);
const outdir = join(workspaceRoot, 'dist', 'apps', 'plat');

/**
 * Builds the client: `plat.js` is a thin entry that answers `--version` itself; `cli.js` holds everything else, npm
 * packages included, each command evaluated when it is asked for; `cli.js.cache` is V8's code for it.
 */
export default async function buildPlat() {
  const { version } = JSON.parse(await readFile(join(workspaceRoot, 'package.json'), 'utf8'));
  await rm(outdir, { recursive: true, force: true });
  const warmUp = join(outdir, 'warm-up.js');
  await bundle({
    entryPoints: {
      plat: source('main.ts'),
      cli: source('start/cli.ts'),
      'warm-up': source('start/warm-up.ts'),
    },
    outdir,
    bundlePackages: true,
    options: {
      minify: true,
      define: { PLAT_VERSION: JSON.stringify(version) },
      // oclif would transpile a client in development with them.
      external: ['typescript', 'ts-node'],
    },
  });
  const manifest = { name: 'plat', version, private: true, type: 'commonjs', bin: { plat: 'plat.js' } };
  await writeFile(join(outdir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const home = await mkdtemp(join(tmpdir(), 'plat-build-'));
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, APPDATA: home };
  await promisify(execFile)(process.execPath, [warmUp, join(outdir, 'cli.js')], { env });
  await Promise.all([home, warmUp, `${warmUp}.map`].map((path) => rm(path, { recursive: true })));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await buildPlat();
