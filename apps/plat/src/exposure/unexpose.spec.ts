import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ENVIRONMENT_ID, exposureStands, REMOVAL, WILDCARD } from '../black-box/exposure-stand';

const RESULT = {
  tenant: 'acme',
  environment: 'dev',
  namespace: 'acme-dev',
  servicesZone: 'services.example.com',
  wildcardName: WILDCARD,
  platformNamespace: 'ops-main',
  dnsPath: 'direct',
};

const { start, startWithAlias } = exposureStands();

const lines = (calls: ReadonlyArray<{ argv: string[] }>) => calls.map(({ argv }) => argv.join(' '));

describe('plat unexpose', () => {
  it('removes only the wildcard record, by delete-rrset with the shared config directory. Spec: Client, plat unexpose, rules 1 and 2', async () => {
    const { unexpose, calls } = await start();
    expect((await unexpose('--json')).json()).toEqual(RESULT);
    expect((await unexpose()).stdout).toBe(`${WILDCARD} is removed.\n`);
    expect(lines(await calls())).toEqual([REMOVAL, REMOVAL]);
  });

  it('with --dry-run prints the command, the wildcard and the namespace, and does nothing', async () => {
    const { unexpose, calls } = await start();
    const quoted = REMOVAL.replace('*.acme-dev', "'*.acme-dev'");
    expect((await unexpose('--dry-run')).stdout).toBe(
      `${quoted}\nwildcard: ${WILDCARD}\nplatform namespace: ops-main\n`,
    );
    expect((await unexpose('--dry-run', '--json')).json()).toEqual({
      dryRun: true,
      plan: [quoted],
      ...RESULT,
    });
    expect(await calls()).toEqual([]);
  });

  it('sends DELETE to the platform when an alias is configured and no override is given', async () => {
    const { unexpose, calls, platform } = await startWithAlias();
    expect((await unexpose('--json')).json()).toEqual({ ...RESULT, dnsPath: 'platform' });
    expect(platform.to(`DELETE /v1/environments/${ENVIRONMENT_ID}/hostname`)).toHaveLength(1);
    const planned = (await unexpose('--dry-run', '--json')).json<{ plan: string[] }>();
    expect(planned.plan).toEqual([
      `platform: GET ${platform.url}/v1/environments`,
      `platform: DELETE ${platform.url}/v1/environments/<environment_id>/hostname`,
    ]);
    expect(await calls()).toEqual([]);
  });

  it('takes the direct path with both overrides', async () => {
    const { unexpose, calls, platform } = await startWithAlias();
    const before = platform.requests.length;
    const overrides = ['--services-zone', 'lab.example.org', '--platform-namespace', 'dns'];
    expect((await unexpose(...overrides, '--json')).json()).toMatchObject({
      dnsPath: 'direct',
      wildcardName: '*.acme-dev.lab.example.org',
    });
    expect(lines(await calls())).toEqual([
      expect.stringMatching(/--namespace dns exec .* delete-rrset lab\.example\.org \*\.acme-dev A$/),
    ]);
    expect(platform.requests).toHaveLength(before);
  });

  it('takes --yes for an environment that is not configured, which may be gone', async () => {
    const { unexpose, machine, calls } = await start();
    await rm(join(machine.configFolder, 'acme'), { recursive: true });
    expect((await unexpose('--yes')).code).toBe(0);
    expect(lines(await calls())).toEqual([REMOVAL]);
  });

  it('without --yes and a terminal removes nothing of an environment that is not configured', async () => {
    const { unexpose, machine, calls } = await start();
    await rename(join(machine.configFolder, 'acme', 'dev'), join(machine.configFolder, 'acme', 'dve'));
    const run = await unexpose('--json');
    expect(run.code).toBe(1);
    expect(run.json()).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: 'There is no environment acme dev. Configured: acme dve, ops main.',
      details: {
        next: 'repeat the command with acme dve; if the other is meant: repeat the command with --yes',
      },
    });
    expect(await calls()).toEqual([]);
    expect((await unexpose('--dry-run')).code).toBe(0);
  });

  it('with --skip-if-unconfigured succeeds as a no-op without a platform block, and only then', async () => {
    const { unexpose, calls } = await start({ project: undefined });
    const run = await unexpose('--skip-if-unconfigured', '--json');
    expect([run.code, run.json()]).toEqual([
      0,
      { skipped: true, reason: 'the project has no platform block' },
    ]);
    expect((await unexpose('--json')).json()).toMatchObject({ code: 'PLATFORM_NOT_CONFIGURED' });
    expect(await calls()).toEqual([]);
    const broken = await start({ project: 'platform: { colour: red }\n' });
    expect((await broken.unexpose('--skip-if-unconfigured', '--json')).json()).toMatchObject({
      code: 'CONFIG_INVALID',
    });
  });

  it.each([
    ['one of the overrides', ['--services-zone', 'lab.example.org'], 'INVALID_FLAG'],
    ['a zone that is none', ['--services-zone', 'x', '--platform-namespace', 'dns'], 'INVALID_FLAG'],
  ])('refuses %s', async (_, args, code) => {
    const { unexpose, calls } = await start();
    const run = await unexpose(...args, '--json');
    expect([run.code, run.json().code]).toEqual([1, code]);
    expect(await calls()).toEqual([]);
  });

  it('fails when the record was not removed, with what pdnsutil reported', async () => {
    const { unexpose, answer } = await start();
    await answer({ when: /pdnsutil/, code: 1, stderr: "Error: Zone 'services.example.com' doesn't exist" });
    const run = await unexpose('--json');
    expect([run.code, run.json()]).toEqual([
      1,
      expect.objectContaining({
        code: 'KUBECTL_FAILED',
        message: expect.stringContaining("doesn't exist") as string,
      }),
    ]);
  });
});
