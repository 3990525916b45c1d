import { mkdtempSync, rmdirSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync, spawnSync } from '@plat/testing';
import { builtPlat, ended, Machine, PATH, said } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';

describe('in faulty surroundings', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterEach(async () => {
    for (const dispose of disposals.splice(0).reverse()) await dispose();
  });

  async function newMachine(): Promise<Machine> {
    const machine = await Machine.create();
    disposals.push(() => machine.remove());
    return machine;
  }

  // A disk of a few bytes is a mount, which takes root and the right to mount.
  (mayMountTmpfs() ? it : it.skip)('a full disk is reported, and existing files stay whole', async () => {
    const machine = await newMachine();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', machine.home]);
    disposals.push(async () => execFileSync('umount', [machine.home]));
    await machine.plat(['config', 'set', 'platform.servicesZone', 'services.example.com', '--allow-unknown']);
    const path = join(machine.configFolder, 'config.yaml');
    const before = await readFile(path, 'utf8');
    await writeFile(join(machine.home, 'filler'), Buffer.alloc(64 * 1024)).catch(() => undefined);
    const run = await machine.plat([
      'config',
      'set',
      'platform.note',
      'x'.repeat(20_000),
      '--allow-unknown',
      '--json',
    ]);
    expect(run.json()).toMatchObject({
      code: 'ENOSPC',
      details: { next: 'free some space on the disk, then repeat the command' },
      exitCode: 1,
    });
    expect(await readFile(path, 'utf8')).toBe(before);
    expect(await readdir(machine.configFolder)).toEqual(['config.yaml']);
  });

  // Only Linux has /dev/full.
  (process.platform === 'linux' ? it : it.skip)('a result that cannot be written is a failure', async () => {
    const machine = await newMachine();
    const env = { PATH, HOME: machine.home };
    for (const line of ['version', 'version --json', 'config get', 'review list --json', '--help']) {
      const script = `"$0" "$1" ${line} > /dev/full`;
      const program = [process.execPath, await builtPlat()];
      const run = spawnSync('sh', ['-c', script, ...program], { env, encoding: 'utf8', timeout: 20_000 });
      expect(run.status).toBe(1);
      expect(run.stderr).toMatch(/^error ENOSPC: .*ENOSPC.*\nnext: free some space on the disk.*\n$/);
    }
  });

  it('HOME is not required, and one that is not a folder is reported', async () => {
    const machine = await newMachine();
    const plat = await builtPlat();
    const withoutHome = spawnSync(process.execPath, [plat, 'config', 'path'], {
      env: { PATH },
      encoding: 'utf8',
    });
    expect(withoutHome.status).toBe(0);
    await writeFile(join(machine.home, 'file'), '');
    const env = { HOME: join(machine.home, 'file') };
    const run = await machine.plat(['config', 'set', 'a', '1', '--allow-unknown', '--json'], { env });
    expect(run.json()).toMatchObject({ code: 'ENOTDIR', exitCode: 1 });
  });

  describe('Ctrl-C ends a command that waits, with a message and without partial files,', () => {
    it('at a sign-in', async () => {
      const { machine, platform, dispose } = await signedInMachine();
      disposals.push(dispose);
      platform.answer('GET /.well-known/openid-configuration', {
        body: {
          issuer: platform.url,
          token_endpoint: `${platform.url}/token`,
          device_authorization_endpoint: `${platform.url}/device`,
        },
      });
      const verification_uri = `${platform.url}/page`;
      platform.answer('POST /device', {
        body: { device_code: 'd', user_code: 'U', verification_uri, expires_in: 600 },
      });
      const sessions = () => readdir(join(machine.configFolder, 'sessions'));
      const before = await sessions();
      const child = await machine.start(['cloud', 'login', '--no-browser', '--json']);
      const run = ended(child);
      await said(child, /Waiting for you to sign in/);
      child.kill('SIGINT');
      expect((await run).json()).toEqual({
        code: 'INTERRUPTED',
        message: 'Stopped by SIGINT.',
        details: { next: 'repeat the command' },
        exitCode: 1,
      });
      expect((await run).code).toBe(1);
      expect(await sessions()).toEqual(before);
    });

    it('at review wait', async () => {
      const { machine, platform, dispose } = await signedInMachine();
      disposals.push(dispose);
      platform.answer(`GET /v1/reviews/${ID}`, { body: { reviewId: ID, name: 'n', status: 'READY' } });
      const child = await machine.start(['review', 'wait', ID]);
      const run = ended(child);
      await said(child, /Waiting for MERGED/);
      child.kill('SIGINT');
      expect(await run).toMatchObject({ code: 1, stdout: '' });
      expect((await run).stderr).toContain(
        'error INTERRUPTED: Stopped by SIGINT.\nnext: repeat the command\n',
      );
    });

    it('at a call that is not answered', async () => {
      const { machine, platform, dispose } = await signedInMachine();
      disposals.push(dispose);
      platform.answer('GET /v1/reviews', { body: [], delayMilliseconds: 3000 });
      const child = await machine.start(['review', 'list']);
      const run = ended(child);
      await said(child, /Listing/);
      child.kill('SIGTERM');
      expect(await run).toMatchObject({ code: 1, stdout: '' });
      expect((await run).stderr).toContain('error INTERRUPTED: Stopped by SIGTERM.');
    });
  });
});

/** Only root may mount, and in many containers not even root. The case of /dev/full covers it there. */
function mayMountTmpfs(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'plat-mount-'));
  try {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]).status === 0;
    if (mounted) execFileSync('umount', [folder]);
    return mounted;
  } finally {
    rmdirSync(folder);
  }
}
