import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type InitProvider, type InitStand, setUpInit } from '../black-box/init-stand';

let bundle: InitStand;
const start = async (provider?: InitProvider) => (bundle = await setUpInit(provider));
afterEach(() => bundle.dispose());

describe('plat init', () => {
  describe('names who commits in the pod', () => {
    const gitConfig = '[user]\n\tname = Al Doe\n\temail = al@example.com\n';

    it('as the claims of the access token do, before git', async () => {
      const { init, machine, sessionPath } = await start();
      await writeFile(join(machine.home, '.gitconfig'), gitConfig);
      const claims = { name: 'Alice', email: 'alice@example.com' };
      const accessToken = `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
      const session = JSON.parse(await readFile(sessionPath, 'utf8')) as object;
      await writeFile(sessionPath, JSON.stringify({ ...session, accessToken }));
      expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({
        git: { ...claims, from: 'the sign-in' },
      });
    });

    it('as git does, if a claim of the token is no line of text', async () => {
      const { init, machine, sessionPath } = await start();
      await writeFile(join(machine.home, '.gitconfig'), gitConfig);
      const claims = { name: 'Mallory\n[core]', email: 'mallory@example.com' };
      const accessToken = `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`;
      const session = JSON.parse(await readFile(sessionPath, 'utf8')) as object;
      await writeFile(sessionPath, JSON.stringify({ ...session, accessToken }));
      expect((await init('acme', 'dev', '--no-deploy')).json()).toMatchObject({
        git: { name: 'Al Doe', from: 'git' },
      });
    });

    it('as --git-identity does, next to the credential', async () => {
      const { init, config } = await start();
      const flags = [
        '--git-identity',
        'Alice <alice@example.com>',
        '--git-credential',
        'ssh-key=/home/me/key',
      ];
      const run = await init('acme', 'dev', '--no-deploy', ...flags);
      const git = { name: 'Alice', email: 'alice@example.com' };
      expect(run.json()).toMatchObject({ git: { ...git, credential: 'ssh-key' } });
      expect(await config('acme/dev/')).toMatchObject({
        git: { ...git, credential: { sshKeyFile: '/home/me/key' } },
      });
      expect((await init('acme', 'dev', '--no-deploy', '--git-identity', 'Alice')).json()).toMatchObject({
        code: 'INVALID_IDENTITY',
      });
    });
  });

  it('two at once get two blocks of ports, and the same environment one', async () => {
    const { init, config } = await start();
    const runs = await Promise.all([
      init('acme', 'dev', '--no-deploy'),
      init('acme', 'test', '--no-deploy'),
      init('acme', 'test', '--no-deploy'),
    ]);
    const waits = /^Waiting for the process \d+, which provisions the same session …\n/;
    expect(runs.map(({ code, stderr }) => [code, stderr.replace(waits, '')])).toEqual([
      [0, ''],
      [0, ''],
      [0, ''],
    ]);
    const starts = await Promise.all(
      ['acme/dev/', 'acme/test/'].map(async (path) => (await config(path)).localPortRangeStart),
    );
    expect([...starts].sort()).toEqual([17_000, 17_100]);
    expect(runs[1]!.json<{ ports: object }>().ports).toEqual(runs[2]!.json<{ ports: object }>().ports);
  });
});
