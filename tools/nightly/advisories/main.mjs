/**
 * Fails if a high advisory is known on a package that is in a bundle of a service, of the database job or of the client.
 * It asks npm's registry, and fails without an answer.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProject } from '../../build/build.mjs';
import { workspaceRoot } from '../../build/bundle.mjs';
import { placesIn } from '../../images/bill-of-materials.mjs';
import { judge, readAdvisories } from './advisories.mjs';

const PROJECTS = [
  'apps/reviews',
  'apps/builds',
  'apps/releases',
  'apps/audit',
  'apps/platform',
  'tools/db',
  'apps/plat',
];

const report = await readAdvisories(workspaceRoot);
const folder = await mkdtemp(join(tmpdir(), 'plat-advisories-'));
const metafiles = [];
for (const project of PROJECTS) {
  const made = await buildProject(project, join(folder, project));
  if (made.length === 0) throw new Error(`The build of ${project} does not say what it bundles.`);
  metafiles.push(...made);
}
await rm(folder, { recursive: true });
const places = placesIn(metafiles);
const { reachable, others } = judge(report, places);
process.stdout.write([...reachable, ''].join('\n'));
process.stdout.write(
  `${places.length} packages in bundles, ${reachable.length} high advisories on them, ${others} on others\n`,
);
process.exitCode = reachable.length === 0 ? 0 : 1;
