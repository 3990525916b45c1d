import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withRegistrySignIn } from './registry-sign-in';

describe('the sign-in to a registry', () => {
  let dockerFolder: string;
  beforeEach(async () => (dockerFolder = await mkdtemp(join(tmpdir(), 'plat-user-docker-'))));
  afterEach(() => rm(dockerFolder, { recursive: true }));
  const signIn = () => ({ host: 'r.example:5000', token: 'secret-1', dockerFolder });

  it('lies in a folder of its owner alone, and is gone afterwards, however the work ends', async () => {
    let folder = '';
    const work = withRegistrySignIn(signIn(), async (made) => {
      folder = made;
      expect((await stat(made)).mode & 0o777).toBe(0o700);
      expect((await stat(join(made, 'config.json'))).mode & 0o777).toBe(0o600);
      throw new Error('the push failed');
    });
    await expect(work).rejects.toThrow('the push failed');
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it("keeps what is the user's: contexts, plugins and other sign-ins, but asks no store for this host", async () => {
    const own = { currentContext: 'far', credsStore: 'desktop', auths: { 'other.example': { auth: 'x' } } };
    await writeFile(join(dockerFolder, 'config.json'), JSON.stringify(own));
    await mkdir(join(dockerFolder, 'contexts'));
    await writeFile(join(dockerFolder, 'contexts', 'far'), 'tcp');
    await withRegistrySignIn(signIn(), async (folder) => {
      expect(await readFile(join(folder, 'contexts', 'far'), 'utf8')).toBe('tcp');
      expect(JSON.parse(await readFile(join(folder, 'config.json'), 'utf8'))).toEqual({
        ...own,
        auths: { ...own.auths, 'r.example:5000': { registrytoken: 'secret-1' } },
        credHelpers: { 'r.example:5000': '' },
      });
    });
    expect(JSON.parse(await readFile(join(dockerFolder, 'config.json'), 'utf8'))).toEqual(own);
    expect(await readFile(join(dockerFolder, 'contexts', 'far'), 'utf8')).toBe('tcp');
  });

  it('needs no configuration of the user', async () => {
    const around = { ...signIn(), dockerFolder: join(dockerFolder, 'none') };
    const text = await withRegistrySignIn(around, (folder) => readFile(join(folder, 'config.json'), 'utf8'));
    expect(text).toContain('secret-1');
  });
});
