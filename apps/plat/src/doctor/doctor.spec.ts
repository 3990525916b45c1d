import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterPrograms, type ToolScript } from '../black-box/cluster-programs';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { Answer } from '../black-box/platform-double';
import { signedInMachine } from '../black-box/signed-in';
import type { Finding } from './examination';

describe('plat doctor', () => {
  it('reports no fault on a machine that can reach its platform', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answer('GET /v1/whoami', { body: { username: 'alice', roles: [] } });
    const run = await machine.plat(['doctor', '--json']);
    expect(run.code).toBe(0);
    const results = run.json<Finding[]>().map(({ check, result }) => [check, result]);
    const ofCheckouts = ['checkout', 'identity', 'signing', 'origin', 'worktree', 'remote'];
    const skipped = [...ofCheckouts, 'repository'];
    expect(results.slice(11)).toEqual(skipped.map((check) => [check, 'skipped']));
    const ofEnvironments = ['kubectl', 'helm', 'kubeconfig', 'chart', 'cluster'];
    expect(results.slice(6, 11).map(([check]) => check)).toEqual(ofEnvironments);
    expect(results.slice(0, 6).every(([, result]) => result === 'ok')).toBe(true);
    const { folder } = await GateCheckout.create(machine);
    const inside = (await machine.plat(['doctor', '--json'], { cwd: folder })).json<Finding[]>();
    expect(inside.slice(11, -1).map(({ check, result }) => [check, result])).toEqual(
      ofCheckouts.map((check) => [check, check === 'signing' ? 'skipped' : 'ok']),
    );
    await dispose();
  });

  describe('of a repository', () => {
    const CHECK = 'POST /v1/reviews/merge-queue/check';
    const examineAnswer = async (answer?: Answer) => {
      const { machine, platform, dispose } = await signedInMachine();
      platform.answer('GET /v1/whoami', { body: { username: 'alice', roles: [] } });
      if (answer) platform.answer(CHECK, answer);
      const { folder, origin } = await GateCheckout.create(machine);
      const run = await machine.plat(['doctor', '--json'], { cwd: folder });
      const finding = run.json<Finding[]>().at(-1)!;
      const [asked] = platform.to(CHECK);
      await dispose();
      return { code: run.code, finding, origin, asked };
    };

    it('asks the platform, whose network decides, and names the page of the ways to be read', async () => {
      const { code, finding, origin, asked } = await examineAnswer({
        body: { readable: false, reason: 'remote_unreadable' },
      });
      expect(asked?.body).toEqual({ repository: origin, targetBranch: 'main' });
      expect(code).toBe(1);
      expect(finding).toMatchObject({ check: 'repository', code: 'REPOSITORY_UNREADABLE', result: 'failed' });
      expect(finding.next).toContain('docs/private-repositories.md');
    });

    it('is well if the platform reads the branch', async () => {
      expect(await examineAnswer({ body: { readable: true } })).toMatchObject({
        code: 0,
        finding: { result: 'ok', detail: expect.stringContaining('the platform reads main of ') },
      });
    });

    it.each([
      ['of a release without the route', undefined],
      ['that does not let the caller ask', { status: 403, body: { code: 'FORBIDDEN', message: 'No.' } }],
    ])('is skipped with a platform %s', async (_, answer) => {
      expect(await examineAnswer(answer)).toMatchObject({ code: 0, finding: { result: 'skipped' } });
    });
  });

  describe('before the first environment', () => {
    const VIEW = { when: /config view/, stdout: '{"current-context":"kind","contexts":[{"name":"kind"}]}' };
    const examined = async (...scripts: ToolScript[]) => {
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

    it('examines what plat init needs, the access to the cluster among it', async () => {
      const can = { when: /auth can-i create namespaces/, stdout: 'yes\n' };
      const { code, found } = await examined(VIEW, version, helm, can);
      expect([code, found.map(({ result }) => result)]).toEqual([0, ['ok', 'ok', 'ok', 'ok']]);
      expect(found[3]?.detail).toBe('the context kind lets you create namespaces');
    });

    it('reports a fault without failing, since only plat init would meet it', async () => {
      const cannot = { when: /auth can-i/, code: 1, stdout: 'no\n' };
      const old = { when: /^helm version/, stdout: 'v2.17.0\n' };
      const { code, found } = await examined(VIEW, version, old, cannot);
      expect([code, found.map(({ result }) => result)]).toEqual([0, ['ok', 'undecided', 'ok', 'undecided']]);
      expect(found[1]?.detail).toMatch(/v2\.17\.0.* Only plat init needs it\.$/);
      expect(found[3]?.detail).toContain('does not let you create namespaces');
    });
  });

  it('makes every check even if one fails, prints the next step, and exits with 1', async () => {
    const machine = await Machine.create();
    const run = await machine.plat(['doctor', '--json']);
    expect(run.code).toBe(1);
    expect(run.json<Finding[]>()).toContainEqual({
      check: 'alias',
      result: 'failed',
      code: 'NO_PLATFORM_ALIAS',
      detail: 'No platform alias is configured on this machine.',
      next: 'plat cloud init <alias> --api-url <url>',
    });
    const results = run.json<Finding[]>().map(({ check, result }) => [check, result]);
    expect(results).toHaveLength(18);
    expect(results).toEqual(
      expect.arrayContaining([
        ['platform', 'skipped'],
        ['sign-in', 'skipped'],
      ]),
    );
    await machine.remove();
  });

  it('distinguishes a platform that answers from a missing sign-in', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    await machine.plat(['cloud', 'logout']);
    const run = await machine.plat(['doctor', '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toContainEqual(
      expect.objectContaining({ check: 'platform', result: 'ok', detail: 'answers, version 0.1.0' }),
    );
    expect(run.json()).toContainEqual(
      expect.objectContaining({
        check: 'sign-in',
        result: 'failed',
        next: 'plat cloud login --alias work',
      }),
    );
    expect(platform.to('GET /v1/whoami')).toEqual([]);
    await dispose();
  });

  it('examines what environments need, and each environment by itself', async () => {
    const { machine, dispose } = await signedInMachine();
    const programs = await clusterPrograms(machine.home);
    await programs.answer([
      { when: /config view/, stdout: '{"current-context":"kind","contexts":[{"name":"kind"}]}' },
      { when: /^kubectl version/, stdout: '{"clientVersion":{"gitVersion":"v1.34.1"}}' },
      { when: /^helm version/, stdout: 'v2.17.0\n' },
    ]);
    const configs = {
      fine: 'type: runtime\nkubernetesContext: kind\nlocalPortRangeStart: 17000\n',
      gone: 'type: runtime\nkubernetesContext: nope\nlocalPortRangeStart: 17100\n',
      one: 'type: runtime\nlocalPortRangeStart: 17200\n',
      two: 'type: runtime\nlocalPortRangeStart: 17250\n',
    };
    for (const [name, text] of Object.entries(configs)) {
      await mkdir(join(machine.configFolder, 'acme', name), { recursive: true });
      await writeFile(join(machine.configFolder, 'acme', name, 'config.yaml'), text);
    }
    const run = await machine.plat(['doctor', '--json'], { env: { PATH: programs.path } });
    const found = (check: string) => run.json<Finding[]>().find((finding) => finding.check === check);
    expect(run.code).toBe(1);
    expect(found('kubectl')).toMatchObject({ result: 'ok', detail: 'v1.34.1' });
    expect(found('helm')).toMatchObject({ result: 'failed', detail: expect.stringContaining('v2.17.0') });
    expect(found('kubeconfig')).toMatchObject({ detail: '1 context, the current one is kind' });
    expect(found('acme-fine')).toMatchObject({
      result: 'undecided',
      detail: 'context kind, ports 17000-17099, but no session: it can build and not report.',
      next: 'plat cloud login, then plat init acme fine',
    });
    expect(found('acme-gone')).toMatchObject({
      detail: expect.stringContaining('no context nope. It has: kind'),
    });
    expect(found('acme-two')).toMatchObject({
      detail: 'The ports of acme-one (from 17200) and acme-two (from 17250) overlap.',
    });
    await dispose();
  });
});
