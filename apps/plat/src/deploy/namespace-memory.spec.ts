import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNamespaceUids, rememberNamespace } from './namespace-memory';

describe('the namespaces that a machine remembers of an environment', () => {
  let configFolder: string;
  const environment = () => ({ configFolder, name: { tenant: 'acme', environment: 'dev' } });
  const uids = Array.from({ length: 10 }, (_, at) => `7b1f7e2c-0000-4000-8000-00000000000${at}`);
  beforeEach(async () => {
    configFolder = await mkdtemp(join(tmpdir(), 'plat-memory-'));
  });
  afterEach(() => rm(configFolder, { recursive: true }));

  it('are the newest 8, each once, in a file of its owner alone', async () => {
    for (const uid of [...uids, uids[5]!]) await rememberNamespace(environment(), uid);
    const newest = [...uids.slice(2).filter((uid) => uid !== uids[5]), uids[5]];
    expect(readNamespaceUids(environment())).toEqual(newest);
    const folder = join(configFolder, 'acme', 'dev');
    expect(await readdir(folder)).toEqual(['namespace-uid']);
    expect((await stat(join(folder, 'namespace-uid'))).mode & 0o777).toBe(0o600);
  });

  it('are all there if deploys remember theirs at once', async () => {
    const some = uids.slice(0, 5);
    await Promise.all(some.map((uid) => rememberNamespace(environment(), uid)));
    expect(readNamespaceUids(environment()).sort()).toEqual(some);
  });

  it('have no entry for a namespace without a uid', async () => {
    await rememberNamespace(environment(), '');
    expect(readNamespaceUids(environment())).toEqual([]);
  });
});
