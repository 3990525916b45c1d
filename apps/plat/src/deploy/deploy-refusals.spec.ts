import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DeployStand, deployStands, GATEWAY, TOKEN, VIEW } from '../black-box/deploy-stand';

describe('plat deploy', () => {
  const { setUp, tokenFile } = deployStands();

  it('refuses ports that overlap those of another environment, and names both. Rule H5', async () => {
    const { machine, programs, deploy } = await setUp({ config: 'localPortRangeStart: 17000\n' });
    const other = join(machine.configFolder, 'acme', 'test');
    await mkdir(other);
    await writeFile(join(other, 'config.yaml'), 'type: runtime\nlocalPortRangeStart: 17050\n');
    for (const args of [['--json'], ['--dry-run', '--json']]) {
      expect((await deploy(...args)).json()).toMatchObject({
        code: 'PORTS_OVERLAP',
        details: { environments: ['acme-dev', 'acme-test'] },
      });
    }
    expect(await programs.calls()).toEqual([]);
  });

  it('of a wrong name names what is configured and the nearest, before it proposes to create one', async () => {
    const { machine } = await setUp();
    const wrong = async (...name: string[]) =>
      (await machine.plat(['deploy', ...name, '--json'])).json<{ message: string; details: object }>();
    expect(await wrong('acme', 'dve')).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: 'There is no environment acme dve. Configured: acme dev.',
      details: { next: 'repeat the command with acme dev; to create the other: plat init acme dve' },
    });
    expect(await wrong('acne', 'dev')).toMatchObject({
      details: { next: 'repeat the command with acme dev; to create the other: plat init acne dev' },
    });
  });

  describe('refuses before it writes anything', () => {
    async function refusal(world: DeployStand, ...args: string[]) {
      const run = await world.deploy('--json', ...args);
      expect(run.code).toBe(1);
      const written = (await world.programs.calls()).filter(({ input }) => input !== '');
      expect(written).toEqual([]);
      return run.json<{ code: string; message: string; details: { next: string } }>();
    }

    it('a context that does not exist, with those that do', async () => {
      const failure = await refusal(await setUp({ config: 'kubernetesContext: kind-three\n' }));
      expect(failure).toMatchObject({
        code: 'CONTEXT_NOT_FOUND',
        message: 'The kubeconfig has no context kind-three. It has: kind-one, kind-two.',
      });
    });

    it.each([0o644, 0o640, 0o604])('a credential of the gateway that others may read (%o)', async (mode) => {
      const path = await tokenFile(mode);
      const failure = await refusal(
        await setUp({ config: GATEWAY, user: `gateway: { tokenFile: ${path} }\n` }),
      );
      expect(failure).toMatchObject({
        code: 'GATEWAY_TOKEN_EXPOSED',
        details: { next: `chmod 600 ${path}` },
      });
    });

    it('a gateway whose credential is nowhere, or in two places', async () => {
      expect(await refusal(await setUp({ config: GATEWAY }))).toMatchObject({
        code: 'GATEWAY_TOKEN_MISSING',
        details: { next: 'plat config set gateway.tokenFile <path>' },
      });
      const user = 'gateway: { tokenFile: /x, tokenCommand: cat /x }\n';
      expect(await refusal(await setUp({ config: GATEWAY, user }))).toMatchObject({
        code: 'GATEWAY_TOKEN_MISSING',
      });
    });

    it('a command that fails, without repeating it or its output', async () => {
      const user = `gateway: { tokenCommand: 'echo ${TOKEN}; echo ${TOKEN} >&2; exit 3' }\n`;
      const failure = await refusal(await setUp({ config: GATEWAY, user }));
      expect(failure).toMatchObject({
        code: 'GATEWAY_TOKEN_UNREADABLE',
        message: 'gateway.tokenCommand of your configuration ended with 3.',
      });
      expect(JSON.stringify(failure)).not.toContain(TOKEN);
    });

    it('a credential of more than one line, and a folder in place of the file', async () => {
      const user = "gateway: { tokenCommand: 'echo one; echo two' }\n";
      expect(await refusal(await setUp({ config: GATEWAY, user }))).toMatchObject({
        code: 'GATEWAY_TOKEN_UNREADABLE',
      });
      const folder = 'gateway: { tokenFile: / }\n';
      expect(await refusal(await setUp({ config: GATEWAY, user: folder }))).toMatchObject({
        code: 'GATEWAY_TOKEN_UNREADABLE',
      });
    });

    it('a version that is none, and helm 2', async () => {
      const world = await setUp();
      expect(await refusal(world, '--runtime-version', 'latest')).toMatchObject({ code: 'INVALID_VERSION' });
      await world.programs.answer([VIEW, { when: /helm version/, stdout: 'Client: v2.16.1+g1\n' }]);
      expect(await refusal(world)).toMatchObject({ code: 'HELM_UNSUPPORTED' });
    });

    it('an environment that is not configured, with the command that does it', async () => {
      const { machine, programs } = await setUp();
      const run = await machine.plat(['deploy', 'acme', 'prod', '--json'], { env: { PATH: programs.path } });
      expect(run.json()).toMatchObject({ code: 'NOT_CONFIGURED', details: { next: 'plat init acme prod' } });
      const wrong = await machine.plat(['deploy', 'acme', '../x', '--json'], {
        env: { PATH: programs.path },
      });
      expect(wrong.json()).toMatchObject({ code: 'INVALID_NAME' });
    });
  });
});
