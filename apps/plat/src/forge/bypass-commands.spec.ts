import { FORGE_REMOTE, FORGE_TOKEN, ForgeDouble } from '@plat/testing';
import { signedInMachine } from '../black-box/signed-in';

const RULESET = 42;
const QUEUE = { actor_id: 7, actor_type: 'User', bypass_mode: 'always' };
const ADMIN_ROLE = { actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' };
const TEAM = { actor_id: 9, actor_type: 'Team', bypass_mode: 'exempt' };
const KEYS = { actor_id: null, actor_type: 'DeployKey', bypass_mode: 'always' };
const REVIEWERS = { actor_id: 3, actor_type: 'Team', bypass_mode: 'pull_request' };

const gateRun = (digit: string) => `0198f2a4-7a61-7c3e-9d0b-${digit.repeat(12)}`;

describe('the commands about bypasses', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  async function setUp() {
    const [{ machine, platform, dispose }, forge] = await Promise.all([
      signedInMachine(),
      ForgeDouble.start(),
    ]);
    disposals.push(dispose, () => forge.close());
    forge.collaborators.set('acme-queue', { id: 7, permission: 'write' });
    forge.collaborators.set('reader', { id: 8, permission: 'read' });
    forge.apps.set('acme-app', { id: 77, permissions: { contents: 'write' } });
    forge.governing.push(1, 2, RULESET);
    const about = ['--target-branch=main', `--repository=${FORGE_REMOTE}`, `--forge-url=${forge.url}`];
    const plat = (command: string, ...args: string[]) =>
      machine.plat(['exec', command, ...about, '--json', ...args], { env: { GH_TOKEN: FORGE_TOKEN } });
    return { forge, platform, machine, plat };
  }

  describe('plan-ruleset-bypass', () => {
    const body = (...actors: object[]) => ({
      name: 'Protect main',
      target: 'branch',
      enforcement: 'active',
      bypass_actors: actors,
      conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
      rules: [{ type: 'deletion' }],
    });
    const onRepository = { source_type: 'Repository', source: 'acme/app', node_id: 'x' };

    async function planBypass(actors: object[], flags: { ruleset?: number; 'queue-identity'?: string } = {}) {
      const bundle = await setUp();
      bundle.forge.rulesets.set(RULESET, { ...onRepository, ...body(...actors) });
      const given = { ruleset: RULESET, 'queue-identity': 'acme-queue', ...flags };
      const args = Object.entries(given).map(([flag, value]) => `--${flag}=${value}`);
      return { ...bundle, run: await bundle.plat('plan-ruleset-bypass', ...args) };
    }

    it('adds the queue with always to the existing actors, then demotes all others, including exempt ones', async () => {
      const { forge, run } = await planBypass([ADMIN_ROLE, TEAM, REVIEWERS]);
      expect(run.code).toBe(0);
      const limited = { bypass_mode: 'pull_request' };
      expect(run.json()).toEqual({
        path: `/repos/acme/app/rulesets/${RULESET}`,
        stage1: body(ADMIN_ROLE, TEAM, REVIEWERS, QUEUE),
        stage2: body({ ...ADMIN_ROLE, ...limited }, { ...TEAM, ...limited }, REVIEWERS, QUEUE),
        rollback: body(ADMIN_ROLE, TEAM, REVIEWERS),
        warnings: [expect.stringContaining('release command') as unknown],
      });
      expect(forge.writes).toEqual([]);
    });

    it('raises an already listed queue actor to always, and never writes exempt', async () => {
      const { run } = await planBypass([{ ...QUEUE, bypass_mode: 'exempt' }]);
      expect(run.json()).toMatchObject({ stage1: body(QUEUE), stage2: body(QUEUE) });
    });

    it('removes deploy keys, which cannot be demoted, and reports it', async () => {
      const { run } = await planBypass([KEYS]);
      expect(run.json()).toMatchObject({
        stage1: body(KEYS, QUEUE),
        stage2: body(QUEUE),
        rollback: body(KEYS),
        warnings: [expect.anything(), expect.stringContaining('Deploy keys')],
      });
    });

    it("accepts an app as the queue's identity", async () => {
      const { run } = await planBypass([], { 'queue-identity': 'acme-app[bot]' });
      const app = { actor_id: 77, actor_type: 'Integration', bypass_mode: 'always' };
      expect(run.json()).toMatchObject({ stage1: body(app), rollback: body() });
    });

    it("names the release command's identity as a decision before stage 2", async () => {
      const { forge, machine } = await planBypass([ADMIN_ROLE]);
      const about = ['--target-branch=main', `--repository=${FORGE_REMOTE}`, `--forge-url=${forge.url}`];
      const plan = ['exec', 'plan-ruleset-bypass', `--ruleset=${RULESET}`, '--queue-identity=acme-queue'];
      const run = await machine.plat([...plan, ...about], { env: { GH_TOKEN: FORGE_TOKEN } });
      expect(run.stderr).toMatch(/^The release command .* decide with which identity, before stage 2/m);
      expect(run.stdout).toMatch(/^stage 1: PUT [^]*^stage 2: PUT [^]*^rollback: PUT /m);
    });

    it.each(['always', 'pull_requests_only', 'never'])(
      'reports that the identity of the token may bypass %s',
      async (currentUserCanBypass) => {
        const { forge, plat } = await setUp();
        const current_user_can_bypass = currentUserCanBypass;
        forge.rulesets.set(RULESET, { ...onRepository, ...body(ADMIN_ROLE), current_user_can_bypass });
        const run = await plat('plan-ruleset-bypass', `--ruleset=${RULESET}`, '--queue-identity=acme-queue');
        expect(run.json()).toMatchObject({ currentUserCanBypass });
      },
    );

    it("reads an organization's ruleset from the organization", async () => {
      const { forge, plat } = await setUp();
      forge.rulesets.set(RULESET, { source_type: 'Organization', source: 'acme', ...body(ADMIN_ROLE) });
      const run = await plat('plan-ruleset-bypass', `--ruleset=${RULESET}`, '--queue-identity=acme-queue');
      expect(run.json()).toMatchObject({ path: `/orgs/acme/rulesets/${RULESET}` });
      expect(forge.calls.map(({ path }) => path)).toContain(`/orgs/acme/rulesets/${RULESET}`);
    });

    it.each([
      ['the queue identity cannot push', { 'queue-identity': 'reader' }, 'QUEUE_CANNOT_PUSH'],
      ['the queue identity is unknown', { 'queue-identity': 'nobody' }, 'FORGE_REFUSED'],
      ['there is no such ruleset', { ruleset: 43 }, 'FORGE_REFUSED'],
    ])('refuses where %s', async (_what, flags, code) => {
      const { run } = await planBypass([ADMIN_ROLE], flags);
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({ code, exitCode: 1 });
    });

    it('refuses if the bypass list is hidden, which is not an empty one, and if the ruleset does not govern', async () => {
      const { forge, plat } = await setUp();
      const { bypass_actors: _hidden, ...visible } = body();
      const plan = () => plat('plan-ruleset-bypass', `--ruleset=${RULESET}`, '--queue-identity=acme-queue');
      forge.rulesets.set(RULESET, { ...onRepository, ...visible });
      expect((await plan()).json()).toMatchObject({ code: 'BYPASS_LIST_HIDDEN' });
      forge.rulesets.set(RULESET, { ...onRepository, ...body() });
      forge.governing.pop();
      expect((await plan()).json()).toMatchObject({ code: 'NOT_GOVERNED' });
    });
  });

  describe('reconcile-bypass', () => {
    const sha = (letter: string) => letter.repeat(40);

    /** Pushes that bypassed the rules of main. Each added the commits; the last one is its tip. */
    async function ledger(...pushes: Array<{ actor: string; commits: string[]; created?: true }>) {
      const bundle = await setUp();
      pushes.forEach(({ actor, commits, created }, at) => {
        const [before_sha, after_sha] = [created ? '0'.repeat(40) : sha(String(at + 1)), commits.at(-1)];
        if (!created) bundle.forge.comparisons.set(`${before_sha}...${after_sha}`, commits);
        bundle.forge.ruleSuites.push({
          id: at + 1,
          actor_name: actor,
          before_sha,
          after_sha,
          ref: 'refs/heads/main',
          pushed_at: '2026-01-02T03:04:05Z',
          result: 'bypass',
        });
      });
      bundle.forge.ruleSuites.push({ id: 99, actor_name: 'x', ref: 'refs/heads/main', result: 'pass' });
      const gateRuns = (...runs: Array<[string, string]>) =>
        bundle.platform.answer('GET /v1/gate-runs', ({ url }) => {
          const at = Number(new URLSearchParams(url.split('?')[1]).get('cursor') ?? 0);
          const [gateRunId, mergeCommit] = runs[at] ?? [];
          const nextCursor = at + 1 < runs.length ? String(at + 1) : undefined;
          return { body: { gateRuns: gateRunId ? [{ gateRunId, mergeCommit }] : [], nextCursor } };
        });
      gateRuns();
      const reconcile = (...args: string[]) =>
        bundle.plat('reconcile-bypass', '--expected-actor=acme-queue', ...args);
      return { ...bundle, gateRuns, reconcile };
    }

    it('accounts for each push by any commit that it added, and exits with 1 after the full report', async () => {
      const { forge, gateRuns, reconcile, platform } = await ledger(
        { actor: 'acme-queue', commits: [sha('a'), sha('b'), sha('c')] },
        { actor: 'Acme-Queue', commits: [sha('d'), sha('e')] },
        { actor: 'mallory', commits: [sha('f')] },
        { actor: 'acme-queue', commits: [sha('9')] },
      );
      gateRuns([gateRun('1'), sha('8')], [gateRun('2'), sha('a')], [gateRun('3'), sha('f')]);
      forge.tags.push(
        { name: 'v1', sha: sha('7') },
        { name: 'v2', sha: sha('6') },
        { name: 'v3', sha: sha('d') },
      );
      const run = await reconcile();
      expect(run).toMatchObject({ code: 1 });
      expect(run.json()).toMatchObject({
        targetBranch: 'main',
        reconciled: false,
        pushes: [
          { ruleSuiteId: 1, verdict: 'RECONCILED', gateRunId: gateRun('2'), afterCommit: sha('c') },
          { ruleSuiteId: 2, verdict: 'RELEASE', tag: 'v3' },
          { ruleSuiteId: 3, verdict: 'UNEXPECTED_ACTOR', actor: 'mallory', gateRunId: gateRun('3') },
          { ruleSuiteId: 4, verdict: 'UNRECONCILED' },
        ],
      });
      expect(platform.to('GET /v1/gate-runs')[0]?.url).toContain('targetBranch=main&status=PASSED');
      expect(forge.writes).toEqual([]);
    });

    it('succeeds if every push is accounted for; a push that created the branch counts by its tip', async () => {
      const { gateRuns, reconcile, forge } = await ledger(
        { actor: 'acme-queue', commits: [sha('a')], created: true },
        { actor: 'releaser', commits: [sha('b')] },
      );
      gateRuns([gateRun('2'), sha('a')]);
      forge.tags.push({ name: 'v1', sha: sha('b') });
      const run = await reconcile('--expected-actor=releaser');
      expect(run.code).toBe(0);
      expect(run.json()).toMatchObject({
        reconciled: true,
        pushes: [{ verdict: 'RECONCILED' }, { verdict: 'RELEASE' }],
      });
    });

    it('succeeds if there was no bypass', async () => {
      const { reconcile } = await ledger();
      expect((await reconcile()).json()).toEqual({ targetBranch: 'main', pushes: [], reconciled: true });
    });

    it('requires a platform alias, before any call', async () => {
      const { forge, reconcile } = await ledger();
      const run = await reconcile('--alias=unknown');
      expect(run.code).toBe(127);
      expect(forge.calls).toEqual([]);
    });
  });
});
