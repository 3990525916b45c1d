import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveGit } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { openCheckout } from '../checkout/checkout';
import type { GateMerge } from '../gate/gate-merge';
import { gitIn } from './git';

describe('git, as the client runs it', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    await checkout.branch('part', { 'part.txt': 'part\n' });
    const merge = (env: Record<string, string> = {}) =>
      machine.plat(['exec', 'gate-merge', '--messages-on-stdin', '--source=part', '--json'], {
        cwd: checkout.folder,
        input: 'Part',
        env,
      });
    return { machine, checkout, merge };
  }

  it("works in the repository of its folder, even if the caller's variables name another", async () => {
    const { machine, checkout, merge } = await setUp();
    const other = join(machine.home, 'other');
    await checkout.git('clone', '--quiet', checkout.origin, other);
    const inOther = (...args: string[]) => checkout.git('-C', other, ...args);
    const before = await inOther('for-each-ref');
    const run = await merge({
      GIT_DIR: join(other, '.git'),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: join(other, '.git', 'index'),
      GIT_NAMESPACE: 'elsewhere',
      GIT_LITERAL_PATHSPECS: '1',
    });
    expect(run.json<GateMerge>().merged).toHaveLength(1);
    expect(await checkout.git('rev-parse', 'main')).toBe(run.json<GateMerge>().mergeCommit);
    expect(await checkout.git('status', '--porcelain')).toBe('');
    expect(await inOther('for-each-ref')).toBe(before);
  });

  it('says nothing of its own, such as advice about grafts, next to the reason of a failure', async () => {
    const { checkout } = await setUp();
    expect(await gitIn(checkout.folder).try(['log', '-1', 'main'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('names the remedy of docs/private-authority.md for a git server of a private authority, and it helps', async () => {
    const { machine, checkout } = await setUp();
    const server = await serveGit(machine.home, { tls: true });
    const remote = ['ls-remote', `${server.origin}/origin.git`, 'main'];
    // The machine's own list of authorities is as good as any other that lacks this one.
    const git = gitIn(checkout.folder, undefined, { SSL_CERT_FILE: undefined, GIT_SSL_CAINFO: undefined });
    await expect(git.run(remote)).rejects.toMatchObject({
      code: 'GIT_FAILED',
      message: expect.stringMatching(/certificate/),
      next: "git config --global http.sslCAInfo <file with your organisation's authority> (docs/private-authority.md), then repeat the command",
    });
    const file = join(machine.home, 'authority.pem');
    await writeFile(file, server.certificate);
    await checkout.git('config', 'http.sslCAInfo', file);
    expect(await git.run(remote)).toContain('refs/heads/main');
    await server.close();
  });

  it('uses the settings that the caller gives by variables', async () => {
    const { checkout, merge } = await setUp();
    await merge({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'user.name', GIT_CONFIG_VALUE_0: 'Queue' });
    expect(await checkout.git('log', '-1', '--format=%an')).toBe('Queue');
  });

  it("makes the squash commit in UTF-8, whatever the caller's own commits are in", async () => {
    const { checkout } = await setUp();
    await checkout.git('config', 'i18n.commitEncoding', 'ISO-8859-1');
    const tree = await checkout.tree('main');
    const git = gitIn(checkout.folder);
    const commit = (await git.run(['commit-tree', tree, '-p', 'main', '-F', '-'], 'Größe\n')).trim();
    expect(await git.run(['cat-file', 'commit', commit])).not.toMatch(/^encoding/m);
    expect(await checkout.git('-c', 'i18n.logOutputEncoding=UTF-8', 'log', '-1', '--format=%s', commit)).toBe(
      'Größe',
    );
  });

  it('runs no hook of the checkout when it merges and checks out', async () => {
    const { checkout, merge } = await setUp();
    const byHand = await checkout.treeByHand('part');
    const hooks = ['post-checkout', 'post-merge', 'pre-commit', 'post-commit', 'post-index-change'];
    for (const hook of [...hooks, 'reference-transaction', 'prepare-commit-msg']) {
      await writeFile(
        join(checkout.folder, '.git', 'hooks', hook),
        '#!/bin/sh\ntest -e hook || { touch hook; git add hook; }\n',
        { mode: 0o755 },
      );
    }
    const { mergeCommit } = (await merge()).json<GateMerge>();
    expect(await checkout.tree(mergeCommit)).toBe(byHand);
    await expect(access(join(checkout.folder, 'hook'))).rejects.toThrow('ENOENT');
  });

  const COMMANDS = ['doctor', 'exec push --dry-run', 'exec gate-merge --dry-run --source=part'];
  it.each(COMMANDS)(
    'runs no command of a bare repository that a branch has as a folder: plat %s',
    async (line) => {
      const { machine, checkout } = await setUp();
      const marker = join(machine.home, 'marker');
      const folder = await commitBareRepository(checkout, `touch ${marker}; false`);
      await machine.plat(line.split(' '), { cwd: folder });
      await expect(access(marker)).rejects.toThrow('ENOENT');
      await expect(openCheckout(folder)).rejects.toMatchObject({ code: 'NOT_A_CHECKOUT' });
    },
  );

  it('merges the commits that origin has, even if the checkout replaces them', async () => {
    const { checkout, merge } = await setUp();
    const byHand = await checkout.treeByHand('part');
    const other = await checkout.git('commit-tree', '-m', 'Other', '-p', 'main', 'main^{tree}');
    await checkout.git('replace', await checkout.git('rev-parse', 'origin/part'), other);
    const { merged, mergeCommit } = (await merge()).json<GateMerge>();
    expect(merged).toHaveLength(1);
    expect(await checkout.tree(mergeCommit)).toBe(byHand);
  });
});

/** Commits a folder that is a bare repository, whose settings name a command. @returns the folder */
async function commitBareRepository(checkout: GateCheckout, command: string): Promise<string> {
  const config = [
    '[core]',
    'repositoryFormatVersion = 0',
    'bare = false',
    'worktree = .',
    `sshCommand = "${command}"`,
    `fsmonitor = "${command}"`,
    '[remote "origin"]',
    'url = ssh://git.example/acme/app',
    'fetch = +refs/heads/*:refs/remotes/origin/*',
  ];
  const files = {
    'fixture/HEAD': 'ref: refs/heads/main\n',
    'fixture/config': config.join('\n'),
    'fixture/objects/.keep': '',
    'fixture/refs/.keep': '',
  };
  await checkout.commit(files, 'Fixture');
  return join(checkout.folder, 'fixture');
}
