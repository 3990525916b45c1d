import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Machine } from '../black-box/plat-process';
import { PlatformDouble } from '../black-box/platform-double';

describe('plat cloud init', () => {
  const bundles: Array<{ machine: Machine; platform: PlatformDouble }> = [];
  afterAll(() =>
    Promise.all(bundles.flatMap(({ machine, platform }) => [machine.remove(), platform.close()])),
  );

  async function setUp() {
    const [machine, platform] = await Promise.all([Machine.create(), PlatformDouble.start()]);
    bundles.push({ machine, platform });
    const config = join(machine.configFolder, 'config.yaml');
    const init = (...args: string[]) => machine.plat(['cloud', 'init', ...args, '--json']);
    return { machine, platform, config, init };
  }

  it('writes the alias from the public description, unattended and without signing in', async () => {
    const { platform, config, init } = await setUp();
    const run = await init('work', '--api-url', `${platform.url}/`);
    const alias = {
      name: 'work',
      kind: 'platform',
      apiUrl: platform.url,
      audience: platform.url,
      issuer: platform.url,
      clientId: 'plat-cli',
    };
    expect(run).toMatchObject({ code: 0 });
    expect(run.json()).toEqual(alias);
    expect(parse(await readFile(config, 'utf8'))).toEqual({ cloudAliases: [alias] });
    expect(platform.requests).toEqual([expect.objectContaining({ method: 'GET', url: '/v1/platform' })]);
    expect(platform.requests[0]?.authorization).toBeUndefined();
  });

  it('makes a folder that only its owner can enter, and replaces a file that others could read', async () => {
    const { machine, platform, config, init } = await setUp();
    await mkdir(machine.configFolder, { recursive: true, mode: 0o755 });
    await writeFile(config, 'cloudAliases: []\n', { mode: 0o644 });
    await init('work', '--api-url', platform.url);
    expect((await stat(machine.configFolder)).mode & 0o777).toBe(0o700);
    expect((await stat(config)).mode & 0o777).toBe(0o600);
  });

  it("does not write through a link at the file's path", async () => {
    const { machine, platform, config, init } = await setUp();
    await mkdir(machine.configFolder, { recursive: true });
    const elsewhere = join(machine.home, 'elsewhere');
    await writeFile(elsewhere, '{}');
    await symlink(elsewhere, config);
    await init('work', '--api-url', platform.url);
    expect(await readFile(elsewhere, 'utf8')).toBe('{}');
  });

  it('replaces an alias of its name and keeps the others and unknown keys', async () => {
    const { machine, platform, config, init } = await setUp();
    await mkdir(machine.configFolder, { recursive: true });
    await writeFile(
      config,
      'theme: dark\ncloudAliases:\n  - {name: vendor, kind: cloud-a, region: r1}\n  - {name: work, kind: platform}\n',
    );
    await init('work', '--api-url', platform.url);
    const written = parse(await readFile(config, 'utf8')) as { theme: string; cloudAliases: unknown[] };
    expect(written.theme).toBe('dark');
    expect(written.cloudAliases).toEqual([
      { name: 'vendor', kind: 'cloud-a', region: 'r1' },
      expect.objectContaining({ name: 'work', apiUrl: platform.url }),
    ]);
  });

  it('loses no alias if several processes write at once', async () => {
    const { platform, config, init } = await setUp();
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all(names.map((name) => init(name, '--api-url', platform.url)));
    const written = parse(await readFile(config, 'utf8')) as { cloudAliases: Array<{ name: string }> };
    expect(written.cloudAliases.map(({ name }) => name).sort()).toEqual(names);
  });

  it.each([
    ['a name that is a path', ['../work', '--api-url', 'https://api.example.com'], 'INVALID_ALIAS_NAME'],
    ['an invalid address', ['work', '--api-url', 'api.example.com'], 'INVALID_ADDRESS'],
    [
      'an audience that is no address',
      ['work', '--api-url', 'https://api.example.com', '--audience', 'x'],
      'INVALID_ADDRESS',
    ],
    ['plain http beyond this machine', ['work', '--api-url', 'http://api.example.com'], 'INVALID_ADDRESS'],
    [
      'an address with a password',
      ['work', '--api-url', 'https://me:hunter2@api.example.com'],
      'INVALID_ADDRESS',
    ],
    ['an address that does not answer', ['work', '--api-url', 'http://127.0.0.1:1'], 'PLATFORM_UNREACHABLE'],
  ])('refuses %s', async (_what, args, code) => {
    const { init } = await setUp();
    const run = await init(...args);
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({ code, exitCode: 1 });
    expect(run.stdout + run.stderr).not.toContain('hunter2');
  });

  it("refuses an address that is not a platform's, and writes nothing", async () => {
    const { platform, config, init } = await setUp();
    for (const [answer, code] of [
      [{ body: { issuer: '' } }, 'NOT_A_PLATFORM'],
      [{ text: '{"hello":"world"}' }, 'NOT_THE_PLATFORM'],
      [{ text: '<html>Sign in to the network</html>' }, 'NOT_THE_PLATFORM'],
    ] as const) {
      platform.answer('GET /v1/platform', answer);
      expect((await init('work', '--api-url', platform.url)).json()).toMatchObject({ code });
    }
    await expect(stat(config)).rejects.toThrow('ENOENT');
  });

  it('shows for what tokens are asked and where the sign-in is, and takes another audience by --audience', async () => {
    const { machine, platform, config } = await setUp();
    const body = { issuer: platform.url, apiUrl: 'https://api.example.com', cliClientId: 'plat-cli' };
    platform.answer('GET /v1/platform', { body });
    const { host } = new URL(platform.url);
    const line = (audience: string) =>
      `The alias work is ${platform.url}, with tokens for ${audience}, sign-in at ${host}.\n`;
    const init = (...args: string[]) =>
      machine.plat(['cloud', 'init', 'work', '--api-url', platform.url, ...args]);
    expect((await init()).stdout).toBe(line('https://api.example.com'));
    expect((await init('--dry-run')).stdout).toContain(
      `with tokens for https://api.example.com, sign-in at ${host}`,
    );
    expect((await init('--audience', 'api://given')).stdout).toBe(line('api://given'));
    expect(await readFile(config, 'utf8')).toContain('audience: api://given');
  });

  it('writes nothing under --dry-run', async () => {
    const { platform, config, init } = await setUp();
    expect((await init('work', '--api-url', platform.url, '--dry-run')).json()).toMatchObject({
      dryRun: true,
    });
    await expect(stat(config)).rejects.toThrow('ENOENT');
  });
});
