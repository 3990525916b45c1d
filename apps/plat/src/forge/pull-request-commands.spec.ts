import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FORGE_REMOTE, FORGE_TOKEN, ForgeDouble } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';

const SOURCE = 'feature/42-limits';
const OTHER_COMMIT = 'b'.repeat(40);

describe('the commands about pull requests', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(() => Promise.all(disposals.map((dispose) => dispose())));

  /** A checkout in which a gate merged the source, and a forge. */
  async function setUp(env: Record<string, string> = { GH_TOKEN: FORGE_TOKEN }) {
    const [machine, forge] = await Promise.all([Machine.create(), ForgeDouble.start()]);
    disposals.push(
      () => machine.remove(),
      () => forge.close(),
    );
    const checkout = await GateCheckout.create(machine);
    const sourceCommit = await checkout.branch(SOURCE, { a: 'a\n' });
    const gate = [
      'exec',
      'gate-merge',
      '--messages-on-stdin',
      `--source=${SOURCE}`,
      '--target-branch=main',
      '--json',
    ];
    const merged = await machine.plat(gate, { cwd: checkout.folder, input: 'Add limits' });
    const { mergeCommit } = merged.json<{ mergeCommit: string }>();
    // The forge's repository, as this machine reaches it.
    await checkout.git('config', `url.${checkout.origin}.insteadOf`, FORGE_REMOTE);
    const land = () => checkout.git('push', '--quiet', 'origin', `${mergeCommit}:refs/heads/main`);
    const about = {
      source: SOURCE,
      'target-branch': 'main',
      repository: FORGE_REMOTE,
      'forge-url': forge.url,
    };
    const platWith = (command: string, changes: Partial<typeof about>, ...args: string[]) => {
      const flags = Object.entries({ ...about, ...changes }).map(([flag, value]) => `--${flag}=${value}`);
      return machine.plat(['exec', command, ...flags, '--json', ...args], { cwd: checkout.folder, env });
    };
    const plat = (command: string, ...args: string[]) => platWith(command, {}, ...args);
    return { machine, forge, checkout, land, plat, platWith, sourceCommit, mergeCommit };
  }

  describe('close-pr', () => {
    it('comments the landing commit on the open pull request and closes it', async () => {
      const { forge, land, plat, sourceCommit, mergeCommit } = await setUp();
      await land();
      const pull = forge.openPull(SOURCE, sourceCommit);
      const run = await plat('close-pr');
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.json()).toEqual({
        sourceBranch: SOURCE,
        targetBranch: 'main',
        sourceCommit,
        commitId: mergeCommit,
        pullRequest: { number: 1, url: 'https://github.com/acme/app/pull/1', headCommit: sourceCommit },
        closed: true,
      });
      expect(pull).toMatchObject({ state: 'closed', comments: [`Landed on \`main\` as ${mergeCommit}.`] });
    });

    it('does nothing if there is no open pull request, or one onto another branch', async () => {
      const { forge, plat, sourceCommit } = await setUp();
      forge.openPull(SOURCE, sourceCommit, 'release');
      const run = await plat('close-pr');
      expect(run.code).toBe(0);
      expect(run.json()).toMatchObject({ closed: false });
      expect(forge.writes).toEqual([]);
    });

    it('refuses if its head moved since the gate fetched it', async () => {
      const { forge, plat, sourceCommit } = await setUp();
      forge.openPull(SOURCE, OTHER_COMMIT);
      const run = await plat('close-pr');
      expect(run.code).toBe(1);
      expect(run.json()).toMatchObject({
        code: 'HEAD_MOVED',
        details: { number: 1, headCommit: OTHER_COMMIT, sourceCommit },
      });
      expect(forge.writes).toEqual([]);
    });

    it('closes only what it finds landed on the remote target itself', async () => {
      const { checkout, forge, land, plat, sourceCommit, mergeCommit } = await setUp();
      forge.openPull(SOURCE, sourceCommit);
      // As the gate reported it: the source itself is checked out, and nothing is pushed.
      await checkout.git('switch', '--quiet', SOURCE);
      for (const named of [[], [`--commit-id=${mergeCommit}`], [`--commit-id=${sourceCommit}`]]) {
        expect((await plat('close-pr', ...named)).json()).toMatchObject({ code: 'NOT_LANDED', exitCode: 1 });
      }
      const begin = await checkout.git('rev-parse', 'origin/main');
      await land();
      expect((await plat('close-pr', `--commit-id=${begin}`)).json()).toMatchObject({ code: 'NOT_LANDED' });
      expect(forge.writes).toEqual([]);
      expect((await plat('close-pr')).json()).toMatchObject({ commitId: mergeCommit, closed: true });
    });

    it('checks and writes nothing under --dry-run', async () => {
      const { forge, land, plat, sourceCommit } = await setUp();
      forge.openPull(SOURCE, sourceCommit);
      expect((await plat('close-pr', '--dry-run')).json()).toMatchObject({ code: 'NOT_LANDED' });
      await land();
      expect((await plat('close-pr', '--dry-run')).json()).toEqual({
        dryRun: true,
        plan: [
          `forge: POST ${forge.url}/repos/acme/app/issues/1/comments`,
          `forge: PATCH ${forge.url}/repos/acme/app/pulls/1`,
        ],
      });
      expect(forge.writes).toEqual([]);
    });
  });

  describe('report-commit-status', () => {
    it.each<[string, string[], Record<string, string>]>([
      ['success', [], { state: 'success', context: 'plat/gate', description: 'The gate build passed' }],
      [
        "failure, with the reason cut to the forge's limit",
        ['--failed', `--failure-detail=${'x'.repeat(200)}`, '--context=gate', '--target-url=https://ci/1'],
        {
          state: 'failure',
          context: 'gate',
          description: `${'x'.repeat(139)}…`,
          target_url: 'https://ci/1',
        },
      ],
    ])('reports %s on the head of the pull request', async (_what, args, status) => {
      const { forge, plat, sourceCommit } = await setUp();
      forge.openPull(SOURCE, sourceCommit);
      const run = await plat('report-commit-status', ...args);
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.json()).toMatchObject({ commitId: sourceCommit, state: status.state });
      expect(forge.statuses).toEqual([{ sha: sourceCommit, ...status }]);
    });

    it('reports no status on a commit that the gate did not build', async () => {
      const { forge, plat } = await setUp();
      expect((await plat('report-commit-status')).json()).toMatchObject({ code: 'NO_PULL_REQUEST' });
      forge.openPull(SOURCE, OTHER_COMMIT);
      expect((await plat('report-commit-status')).json()).toMatchObject({ code: 'HEAD_MOVED' });
      expect(forge.writes).toEqual([]);
    });
  });

  describe('find the token of gh', () => {
    it('in the file of its session', async () => {
      const { machine, forge, plat } = await setUp({});
      await mkdir(join(machine.home, '.config', 'gh'), { recursive: true });
      const hosts = `github.com:\n    user: me\n    oauth_token: ${FORGE_TOKEN}\n`;
      await writeFile(join(machine.home, '.config', 'gh', 'hosts.yml'), hosts);
      expect((await plat('close-pr')).code).toBe(0);
      expect(forge.calls).toHaveLength(1);
    });

    it.each([
      ['no token', {}],
      ['only a token for other hosts', { GH_ENTERPRISE_TOKEN: FORGE_TOKEN }],
    ])('and refuse without a call if there is %s', async (_what, env: Record<string, string>) => {
      const { forge, plat } = await setUp(env);
      const run = await plat('close-pr');
      expect(run.json()).toMatchObject({ code: 'NO_FORGE_TOKEN', exitCode: 1 });
      expect(forge.calls).toEqual([]);
    });
  });

  it('report a refusal of the forge, without the token', async () => {
    const { plat } = await setUp({ GH_TOKEN: 'gho_secret' });
    const run = await plat('close-pr');
    expect(run.json()).toMatchObject({ code: 'FORGE_REFUSED', details: { status: 401 }, exitCode: 1 });
    expect(run.stdout + run.stderr).not.toContain('gho_secret');
  });

  it('report a forge that does not answer, one without https, and a repository that is on no forge', async () => {
    const { plat, platWith, forge } = await setUp();
    await forge.close();
    expect((await plat('close-pr')).json()).toMatchObject({ code: 'FORGE_UNREACHABLE' });
    const elsewhere = await platWith('close-pr', { 'forge-url': 'http://forge.example.com' });
    expect(elsewhere.json()).toMatchObject({ code: 'INVALID_ADDRESS' });
    const noForge = await platWith('close-pr', { repository: 'https://github.com/a/b/c' });
    expect(noForge.json()).toMatchObject({ code: 'NOT_ON_A_FORGE' });
  });
});
