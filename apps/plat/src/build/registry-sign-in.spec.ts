import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '@plat/local';
import { spawn } from '@plat/testing';
import { removeLeftSignIns } from './left-sign-ins';
import { withRegistrySignIn } from './registry-sign-in';

describe('the sign-in to a registry', () => {
  let dockerFolder: string;
  beforeEach(async () => (dockerFolder = await mkdtemp(join(tmpdir(), 'plat-user-docker-'))));
  afterEach(() => rm(dockerFolder, { recursive: true }));
  const signIn = () => ({ host: 'r.example:5000', token: 'secret-1', dockerFolder });

  it('is in a folder of its owner alone, and is removed after success and failure', async () => {
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

  it("keeps the user's contexts, plugins and other sign-ins, but asks no store for this host", async () => {
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

  describe('that a killed client left', () => {
    /** A sign-in's folder as it is during a push, with another owner. */
    async function leaveFolder(change: (owner: Record<string, unknown>) => unknown): Promise<string> {
      const folder = await mkdtemp(join(tmpdir(), 'plat-docker-'));
      await withRegistrySignIn(signIn(), async (made) => {
        const owner = JSON.parse(await readFile(join(made, 'plat-owner.json'), 'utf8')) as Record<
          string,
          unknown
        >;
        await writeFile(join(folder, 'plat-owner.json'), JSON.stringify(change(owner)));
      });
      await writeFile(join(folder, 'config.json'), 'secret-1');
      // The user's own files are linked, and stay.
      await symlink(dockerFolder, join(folder, 'contexts'));
      return folder;
    }

    it('is removed by the next build, without any file of the user', async () => {
      const client = spawn('sleep', ['60']);
      const owner = await identify(client.pid ?? 0);
      const gone = once(client, 'close');
      client.kill('SIGKILL');
      await gone;
      await writeFile(join(dockerFolder, 'own'), 'mine');
      const folder = await leaveFolder((noted) => ({ ...noted, ...owner }));
      await removeLeftSignIns();
      await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
      expect(await readdir(dockerFolder)).toEqual(['own']);
    });

    it.each<[string, (owner: Record<string, unknown>) => unknown]>([
      ['its client is at work', (owner) => owner],
      ['its client ran on another machine', (owner) => ({ ...owner, pid: 2 ** 30, machine: 'another' })],
      ['it has no owner', () => ({})],
      ["its owner's record is invalid", () => null],
    ])('stays if %s', async (_what, change) => {
      const folder = await leaveFolder(change);
      await removeLeftSignIns();
      expect(await readFile(join(folder, 'config.json'), 'utf8')).toBe('secret-1');
      await rm(folder, { recursive: true });
    });

    it('is not removed if only a link leads to it', async () => {
      const folder = await leaveFolder((owner) => ({ ...owner, pid: 2 ** 30 }));
      const elsewhere = join(dockerFolder, 'kept');
      await mkdir(elsewhere);
      for (const name of await readdir(folder)) {
        if (name.endsWith('.json')) {
          await writeFile(join(elsewhere, name), await readFile(join(folder, name)));
        }
      }
      const link = join(tmpdir(), `plat-docker-link-${process.pid}`);
      await symlink(elsewhere, link);
      await removeLeftSignIns();
      expect(await readdir(elsewhere)).toContain('config.json');
      await rm(link);
      await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    });
  });
});
