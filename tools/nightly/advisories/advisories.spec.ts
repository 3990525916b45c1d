import { randomInt } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judge, readAdvisories } from './advisories.mjs';

const ADVISORY = {
  url: 'https://advisories.example/1',
  title: 'bad',
  severity: 'high',
  vulnerable_versions: '<2.0.0',
};
/** npm keeps what it has worked out of an advisory, by its number. */
const advisory = (more: object = {}) => ({ ...ADVISORY, id: randomInt(2 ** 31), ...more });
const LOCK = {
  name: 'x',
  lockfileVersion: 3,
  packages: {
    '': { name: 'x', dependencies: { a: '1.0.0', b: '1.0.0' } },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', dependencies: { a: '2.0.0' } },
    'node_modules/b/node_modules/a': { version: '2.0.0' },
  },
};

describe('an advisory', () => {
  let root: string;
  let server: Server;
  let registry: string;
  let answer: object | undefined;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'plat-advisories-'));
    await writeFile(join(root, 'package.json'), JSON.stringify(LOCK.packages['']));
    await writeFile(join(root, 'package-lock.json'), JSON.stringify(LOCK));
    server = createServer((request, response) => {
      const asked = request.url === '/-/npm/v1/security/advisories/bulk' && answer !== undefined;
      response
        .writeHead(asked ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(async () => {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
    await rm(root, { recursive: true });
  });

  it('on a package that is in a bundle fails, by the place that is bundled', async () => {
    answer = { a: [advisory()] };
    const report = await readAdvisories(root, registry);
    expect(judge(report, ['node_modules/a']).reachable).toEqual([
      'a <2.0.0: high: bad (https://advisories.example/1), at node_modules/a',
    ]);
    expect(judge(report, ['node_modules/b', 'node_modules/b/node_modules/a'])).toEqual({
      reachable: [],
      others: 1,
    });
  });

  it('that is moderate, or does not hold for the version, is no fault', async () => {
    answer = {
      a: [advisory({ severity: 'moderate' })],
      b: [advisory({ vulnerable_versions: '<1.0.0' })],
    };
    const report = await readAdvisories(root, registry);
    expect(judge(report, ['node_modules/a', 'node_modules/b'])).toEqual({ reachable: [], others: 0 });
  });

  it('cannot be ruled out without an answer of the registry', async () => {
    answer = undefined;
    await expect(readAdvisories(root, registry)).rejects.toThrow('npm audit has no answer');
  });
});
