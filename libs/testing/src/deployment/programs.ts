import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ServiceName, SERVICES } from '@plat/contracts/core';
import { execFile } from '../starter/child-process';

/** The program of each service: the file that node runs. */
export type Programs = Readonly<Record<ServiceName, string>>;

/** The programs in the folder that `buildPrograms` filled. */
export function programsIn(outdir: string): Programs {
  const entries = SERVICES.map((name) => [name, join(outdir, name, 'main.js')]);
  return Object.fromEntries(entries) as Programs;
}

/**
 * Builds the five services of a source tree, which need not be this one, as its images are built.
 *
 * @param outdir gets a folder for each service
 * @paths apps/reviews/src/main.ts apps/builds/src/main.ts apps/releases/src/main.ts apps/audit/src/main.ts
 * @paths apps/platform/src/main.ts
 */
export async function buildPrograms(root: string, outdir: string): Promise<Programs> {
  for (const name of SERVICES) {
    const args = [join(root, 'tools', 'build', 'build.mjs'), `apps/${name}`, join(outdir, name)];
    await promisify(execFile)(process.execPath, args, { cwd: root });
  }
  return programsIn(outdir);
}
