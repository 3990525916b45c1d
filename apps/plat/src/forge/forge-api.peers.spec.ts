/** @peers prism */
import { type ApiProxy, FORGE_REMOTE, FORGE_TOKEN, ForgeDouble, startForgeProxy } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { signedInMachine } from '../black-box/signed-in';

const SOURCE = 'feature/42-limits';
const COMMITS = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [string, string, string, string];
const GATE_RUN_ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';
const [TIP, LANDED, BEFORE, AFTER] = COMMITS;

describe("each call of the forge commands fits GitHub's published description", () => {
  let forge: ForgeDouble;
  let proxy: ApiProxy;
  let stand: Awaited<ReturnType<typeof signedInMachine>>;
  beforeAll(async () => {
    [forge, stand] = await Promise.all([ForgeDouble.start(), signedInMachine()]);
    proxy = await startForgeProxy(forge.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await Promise.all([forge.close(), stand.dispose()]);
  });

  function plat(command: string, flags: Record<string, string | number>, cwd = stand.machine.home) {
    const about = { ...flags, 'target-branch': 'main', repository: FORGE_REMOTE, 'forge-url': proxy.url };
    const args = Object.entries(about).map(([flag, value]) => `--${flag}=${value}`);
    return stand.machine.plat(['exec', command, ...args, '--json'], { cwd, env: { GH_TOKEN: FORGE_TOKEN } });
  }

  it('close-pr', async () => {
    const checkout = await GateCheckout.create(stand.machine);
    const tip = await checkout.branch(SOURCE, { a: 'a\n' });
    // The forge's repository, as this machine reaches it. The branch has landed there.
    await checkout.git('config', `url.${checkout.origin}.insteadOf`, FORGE_REMOTE);
    await checkout.git('push', '--quiet', 'origin', `${tip}:refs/heads/main`);
    forge.openPull(SOURCE, tip);
    const flags = { source: SOURCE, 'source-commit': tip, 'commit-id': tip };
    const run = await plat('close-pr', flags, checkout.folder);
    expect(run.json()).toMatchObject({ closed: true });
  });

  it('report-commit-status', async () => {
    forge.openPull(SOURCE, TIP);
    const run = await plat('report-commit-status', { source: SOURCE, 'source-commit': TIP });
    expect(run.json()).toMatchObject({ state: 'success', commitId: TIP });
  });

  it.each(['acme-queue', 'acme-queue[bot]'])('plan-ruleset-bypass for %s', async (identity) => {
    forge.collaborators.set('acme-queue', { id: 7, permission: 'write' });
    forge.apps.set('acme-queue', { id: 8, permissions: { contents: 'write' } });
    forge.rulesets.set(42, {
      name: 'main',
      target: 'branch',
      source_type: 'Repository',
      source: 'acme/app',
      enforcement: 'active',
      bypass_actors: [{ actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' }],
      rules: [],
    });
    forge.governing.push(42);
    const run = await plat('plan-ruleset-bypass', { ruleset: 42, 'queue-identity': identity });
    expect(run.json()).toMatchObject({ path: '/repos/acme/app/rulesets/42' });
  });

  it('reconcile-bypass', async () => {
    const answer = { body: { gateRuns: [{ gateRunId: GATE_RUN_ID, mergeCommit: AFTER }] } };
    stand.platform.answer('GET /v1/gate-runs', answer);
    forge.ruleSuites.push({
      id: 1,
      ref: 'refs/heads/main',
      result: 'bypass',
      actor_name: 'acme-queue',
      before_sha: BEFORE,
      after_sha: AFTER,
      pushed_at: '2026-01-02T03:04:05Z',
    });
    forge.comparisons.set(`${BEFORE}...${AFTER}`, [LANDED, AFTER]);
    forge.tags.push({ name: 'v1.0.0', sha: LANDED });
    const run = await plat('reconcile-bypass', { 'expected-actor': 'acme-queue' });
    expect(run.json()).toMatchObject({ reconciled: true, pushes: [{ verdict: 'RECONCILED' }] });
  });

  it('a call that does not fit is refused', async () => {
    const answer = await fetch(`${proxy.url}/repos/acme/app/statuses/${TIP}`, {
      method: 'POST',
      headers: { authorization: `token ${FORGE_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'fine' }),
    });
    expect(answer.status).toBe(422);
  });
});
