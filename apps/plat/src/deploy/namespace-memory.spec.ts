import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginCreation, forgetCreation, isKnown, rememberNamespace } from './namespace-memory';

describe('the namespaces that a machine remembers of an environment', () => {
  let configFolder: string;
  const environment = () => ({ configFolder, name: { tenant: 'acme', environment: 'dev' } });
  const uids = Array.from({ length: 10 }, (_, at) => `7b1f7e2c-0000-4000-8000-00000000000${at}`);
  beforeEach(async () => {
    configFolder = await mkdtemp(join(tmpdir(), 'plat-memory-'));
  });
  afterEach(() => rm(configFolder, { recursive: true }));

  const known = (some: readonly string[]) => some.filter((uid) => isKnown(environment(), { uid }));

  it('are the last used 8, in a file of its owner alone', async () => {
    for (const uid of uids.slice(0, 8)) await rememberNamespace(environment(), { uid });
    for (const uid of [uids[0]!, ...uids.slice(8)]) await rememberNamespace(environment(), { uid });
    expect(known(uids)).toEqual([uids[0], ...uids.slice(3)]);
    const folder = join(configFolder, 'acme', 'dev');
    expect(await readdir(folder)).toEqual(['namespace-uid']);
    expect((await stat(join(folder, 'namespace-uid'))).mode & 0o777).toBe(0o600);
  });

  it('are all there if deploys remember theirs at once', async () => {
    const some = uids.slice(0, 5);
    await Promise.all(some.map((uid) => rememberNamespace(environment(), { uid })));
    expect(known(some)).toEqual(some);
  });

  it('have no entry for a namespace without a uid', async () => {
    await rememberNamespace(environment(), { uid: '' });
    expect(known([''])).toEqual([]);
  });

  describe('while their creation is not finished', () => {
    const uid = uids[0]!;

    it('are known by its value, in its cluster alone', async () => {
      const creation = await beginCreation(environment(), 'kind-one');
      expect(creation.value).toMatch(/^[\w-]{43}$/);
      expect(isKnown(environment(), { uid, creation })).toBe(true);
      expect(isKnown(environment(), { uid, creation: { ...creation, context: 'kind-two' } })).toBe(false);
      const guessed = { ...creation, value: uid };
      expect(isKnown(environment(), { uid, creation: guessed })).toBe(false);
    });

    it('are not known by the value of another that is remembered by its uid since, or was never made', async () => {
      const made = await beginCreation(environment(), undefined);
      const refused = await beginCreation(environment(), undefined);
      expect(made.value).not.toBe(refused.value);
      await rememberNamespace(environment(), { uid, creation: made });
      await forgetCreation(environment(), refused);
      for (const creation of [made, refused]) {
        expect(isKnown(environment(), { uid: uids[1]!, creation })).toBe(false);
      }
      expect(known(uids)).toEqual([uid]);
    });

    it('are all known that deploys create at once, 8 at most', async () => {
      const begin = () => beginCreation(environment(), undefined);
      const creations = await Promise.all(Array.from({ length: 8 }, begin));
      const isBegun = (at: number) => isKnown(environment(), { uid, creation: creations[at] });
      expect(creations.map((_, at) => isBegun(at))).not.toContain(false);
      await begin();
      expect(creations.filter((_, at) => isBegun(at))).toHaveLength(7);
    });
  });
});
