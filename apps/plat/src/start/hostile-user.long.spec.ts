import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import type { PlatRun } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';
import type { GateMerge } from '../gate/gate-merge';

interface Person {
  home: string;
  checkout: GateCheckout;
  env: Record<string, string>;
}

type Setting = (person: Person) => unknown;

/** Lines of the person's git configuration. */
const configured =
  (text: string): Setting =>
  ({ home }) =>
    appendFile(join(home, '.gitconfig'), text.replaceAll('; ', '\n'));

const withVariables =
  (variables: Record<string, string>): Setting =>
  ({ env }) =>
    Object.assign(env, variables);

/** Hooks of the person for all repositories, each of which fails. The push is the person's, so its hook decides. */
const failingHooks: Setting = async ({ home }) => {
  const folder = join(home, 'hooks');
  await mkdir(folder);
  for (const name of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-checkout', 'post-merge']) {
    await writeFile(join(folder, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  }
  await appendFile(join(home, '.gitconfig'), `[core]\nhooksPath = ${folder}\n`);
};

/** An address at which nothing listens. */
async function findClosedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const closedProxy: Setting = async ({ env }) => {
  const address = await findClosedPort();
  for (const name of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-checkout', 'post-merge']) {
    Object.assign(env, { [name]: address, [name.toLowerCase()]: address });
  }
};

const folderWithSpace: Setting = async ({ home, env }) => {
  const TMPDIR = join(home, 'temporary files');
  await mkdir(TMPDIR);
  Object.assign(env, { TMPDIR });
};

const SETTINGS: readonly [string, Setting][] = [
  ['none of these', () => undefined],
  ['core.autocrlf=true', configured('[core]; autocrlf = true; eol = crlf; ')],
  ['core.hooksPath with hooks that fail', failingHooks],
  [
    'url.insteadOf',
    configured('[url "https://nowhere.invalid/"]; insteadOf = https://; insteadOf = http://; '),
  ],
  ['init.defaultBranch=trunk', configured('[init]; defaultBranch = trunk; ')],
  ['merge.conflictStyle=zdiff3', configured('[merge]; conflictStyle = zdiff3; ff = only; ')],
  ['diff.renames=false', configured('[diff]; renames = false; noprefix = true; ')],
  ['color.ui=always', configured('[color]; ui = always; ')],
  ['push.default=nothing', configured('[push]; default = nothing; followTags = true; ')],
  ['fetch.prune', configured('[fetch]; prune = true; pruneTags = true; ')],
  [
    'pull.rebase and an editor that fails',
    configured('[pull]; rebase = true; [core]; editor = false; pager = false; '),
  ],
  ['LANG=C', withVariables({ LANG: 'C', LC_ALL: 'C' })],
  ['a Turkish locale', withVariables({ LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' })],
  ['TZ=Pacific/Chatham', withVariables({ TZ: 'Pacific/Chatham' })],
  ['proxies at a closed port', closedProxy],
  ['a temporary folder with a space', folderWithSpace],
  ['colours that are forced', withVariables({ FORCE_COLOR: '3', CLICOLOR_FORCE: '1' })],
  ['a mask of 077', () => process.umask(0o077)],
  ['programs of git that fail', withVariables({ GIT_PAGER: 'false', GIT_EDITOR: 'false', PAGER: 'false' })],
];

describe('the client of a person whose settings disturb', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterEach(async () => {
    process.umask(0o022);
    for (const dispose of disposals.splice(0)) await dispose();
  });

  /** A signed-in person with a checkout, a branch that merges and one that does not. */
  async function setUp() {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    platform.answer('GET /v1/reviews', { body: [] });
    const checkout = await GateCheckout.create(machine);
    await checkout.commit({ VERSION: '1.0.0\n', 'build.sh': '#!/bin/sh\nexit 0\n' }, 'Build');
    await chmod(join(checkout.folder, 'build.sh'), 0o755);
    await checkout.git('commit', '--quiet', '--all', '--amend', '--no-edit');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.branch('part', { 'numbers.txt': lines(1, 40, { 2: 'two' }), 'ü ı.txt': 'new\n' });
    await checkout.branch('clash', { 'numbers.txt': lines(1, 40, { 2: 'zwei' }) });
    const byHand = await checkout.treeByHand('part');
    const person: Person = { home: machine.home, checkout, env: {} };
    const plat = (args: string[], input?: string): Promise<PlatRun> =>
      machine.plat(args, { cwd: checkout.folder, env: person.env, input });
    return { checkout, byHand, person, plat };
  }

  it.each(SETTINGS)('lists, merges, gates and pushes as any other with %s', async (_what, set) => {
    const { checkout, byHand, person, plat } = await setUp();
    await set(person);
    expect(await plat(['review', 'list'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'No review matches.\n',
    });
    expect((await plat(['review', 'list', '--json'])).json()).toEqual([]);

    const merge = ['exec', 'gate-merge', '--messages-on-stdin', '--source=part', '--source=clash', '--json'];
    const merged = await plat(merge, 'Part\0Clash');
    expect(merged).toMatchObject({ code: 0, stderr: '' });
    const { mergeCommit, skipped } = merged.json<GateMerge>();
    expect(skipped).toMatchObject([{ sourceBranch: 'clash' }]);
    expect(await checkout.tree(mergeCommit)).toBe(byHand);

    const built = await plat(['build', '--gate', '--no-push', '--no-report', '--json']);
    expect(built).toMatchObject({ code: 0 });
    const pushed = await plat(['exec', 'push', '--target-branch', 'main', '--json']);
    expect(pushed.json()).toMatchObject({ commitId: mergeCommit, upToDate: false });
    const bare = ['--git-dir', checkout.origin, 'rev-parse', 'refs/heads/main'];
    expect(await checkout.git(...bare)).toBe(mergeCommit);
  });

  it.each([
    ['no identity', '[user]; useConfigOnly = true; name =; email =; ', 'NO_IDENTITY'],
    ['commit.gpgSign=true and no key', '[commit]; gpgSign = true; [gpg]; program = false; ', 'CANNOT_SIGN'],
  ])('gets the next step, and keeps its checkout, with %s', async (_what, text, code) => {
    const { checkout, person, plat } = await setUp();
    await configured(text)(person);
    const before = await checkout.everything();
    const run = await plat(['exec', 'gate-merge', '--messages-on-stdin', '--source=part', '--json'], 'Part');
    expect([run.code, run.json()]).toEqual([
      1,
      expect.objectContaining({ code, details: expect.objectContaining({ next: expect.any(String) }) }),
    ]);
    expect(withoutGateRefs(await checkout.everything())).toBe(withoutGateRefs(before));
  });
});

/** The gate fetches into refs of its own before it merges. */
function withoutGateRefs(everything: string): string {
  return everything.replaceAll(/^.*refs\/(?:worktree\/)?plat\/.*\n/gm, '');
}
