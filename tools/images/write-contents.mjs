/**
 * Writes what is in an image besides its base and Node: the bundles of a project and their bill of materials. Run by the
 * build stage of deploy/images/Dockerfile.
 * Usage: node tools/images/write-contents.mjs <project root> <output folder> <name> <base>
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProject } from '../build/build.mjs';
import { workspaceRoot } from '../build/bundle.mjs';
import { billOfMaterials } from './bill-of-materials.mjs';

const [projectRoot, outdir, name, base] = process.argv.slice(2);
if (!base) {
  throw new Error('usage: node tools/images/write-contents.mjs <project root> <output folder> <name> <base>');
}
const json = async (file) => JSON.parse(await readFile(join(workspaceRoot, file), 'utf8'));

const metafiles = await buildProject(projectRoot, outdir);
if (metafiles.length === 0) throw new Error(`The build of ${projectRoot} does not say what it bundles.`);
const { version } = await json('package.json');
const { packages } = await json('package-lock.json');
const image = { name, version, metafiles, packages, node: process.version.slice(1), base };
await writeFile(join(outdir, 'sbom.cdx.json'), billOfMaterials(image));
