import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterPrograms, type ToolScript } from '../black-box/cluster-programs';
import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';
import type { Finding } from './examination';

describe('plat doctor', () => {
  describe('before the first environment', () => {
    const VIEW = { when: /config view/, stdout: '{"current-context":"kind","contexts":[{"name":"kind"}]}' };
    const examineScripts = async (...scripts: ToolScript[]) => {
      const { machine, platform, dispose } = await signedInMachine();
      platform.answer('GET /v1/whoami', { body: { username: 'alice', roles: [] } });
      const programs = await clusterPrograms(machine.home);
      await programs.answer(scripts);
      const run = await machine.plat(['doctor', '--json'], { env: { PATH: programs.path } });
      await dispose();
      const names = ['kubectl', 'helm', 'kubeconfig', 'cluster'];
      const found = run.json<Finding[]>().filter(({ check }) => names.includes(check));
      return { code: run.code, found };
    };
    const version = { when: /^kubectl version/, stdout: '{"clientVersion":{"gitVersion":"v1.34.1"}}' };
    const helm = { when: /^helm version/, stdout: 'v3.18.1\n' };

    it('names a cluster that does not answer, with the command that asks it', async () => {
      const down = {
        when: /auth can-i/,
        code: 1,
        stderr: 'error: dial tcp 127.0.0.1:1: connection refused\n',
      };
      const { found } = await examineScripts(VIEW, version, helm, down);
      expect(found[3]).toMatchObject({
        result: 'undecided',
        detail: expect.stringContaining('connection refused'),
        next: 'kubectl --context kind get namespaces',
      });
    });
  });

  it('in a runtime pod looks at what a pod needs, and leaves out what a pod has not', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answer('GET /v1/whoami', { body: { username: 'alice', roles: [] } });
    const { folder } = await GateCheckout.create(machine);
    // As the pod's first process writes it.
    await mkdir(join(machine.configFolder, 'acme', 'dev'), { recursive: true });
    const seeded = 'type: remote-agent\nkubernetesContext: in-cluster\n';
    await writeFile(join(machine.configFolder, 'acme', 'dev', 'config.yaml'), seeded);
    const env = {
      GIT_CONFIG_NOSYSTEM: '1',
      PLAT_TENANT: 'acme',
      PLAT_ENVIRONMENT: 'dev',
      PLAT_ENV_TYPE: 'remote-agent',
      PLAT_KUBERNETES_CONTEXT: 'in-cluster',
      PLAT_REPO_PATH: folder,
      PLAT_OUTPUTS_DIR: join(machine.home, 'outputs'),
    };
    await mkdir(env.PLAT_OUTPUTS_DIR);
    const run = await machine.plat(['doctor', '--json'], { env });
    const found = (check: string) => run.json<Finding[]>().find((finding) => finding.check === check);
    expect(run.json<Finding[]>().map(({ check }) => check)).toEqual([
      ...['node', 'git', 'configuration', 'alias', 'platform', 'sign-in'],
      ...['pod', 'outputs', 'credential', 'builder'],
      ...['checkout', 'identity', 'signing', 'origin', 'worktree', 'remote', 'repository'],
    ]);
    expect(run.code).toBe(0);
    expect(found('pod')).toMatchObject({ result: 'ok', detail: 'acme-dev, remote-agent' });
    expect(found('outputs')).toMatchObject({ result: 'ok', detail: env.PLAT_OUTPUTS_DIR });
    expect(found('credential')).toMatchObject({ result: 'skipped' });
    // The identity is the environment's, though the command runs in the home.
    expect(found('identity')).toMatchObject({ result: 'ok', detail: 'Test <test@example.com>' });
    const away = await machine.plat(['doctor', '--json'], {
      env: { ...env, PLAT_OUTPUTS_DIR: join(machine.home, 'away') },
    });
    expect(away.code).toBe(1);
    expect(away.json()).toContainEqual(expect.objectContaining({ code: 'OUTPUTS_NOT_WRITABLE' }));
    await dispose();
  });
});
