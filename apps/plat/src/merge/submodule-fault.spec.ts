import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitScript, line, scriptedGitServer, sideBand } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gateMerge } from '../gate/gate-merge';
import { gitIn } from '../git/git';
import { shellQuote } from '../terminal/shell-quote';

const LOST = 'b'.repeat(40);

describe('a source whose submodule cannot be had', () => {
  let home: string;
  let checkout: GateCheckout;
  const ends: Array<() => Promise<void>> = [];
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-submodule-'));
    checkout = await GateCheckout.create({ home } as Machine);
    await appendFile(
      join(home, '.gitconfig'),
      '[protocol "file"]\n\tallow = always\n[submodule]\n\tactive = .\n',
    );
    const library = join(home, 'library');
    await checkout.git('init', '--quiet', library);
    await checkout.git('-C', library, 'commit', '--quiet', '--allow-empty', '-m', 'One');
    await checkout.git('submodule', '--quiet', 'add', library, 'library');
    await checkout.commit({}, 'Library');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.branch('good', { 'good.txt': 'good\n' });
  });
  afterAll(async () => {
    for (const end of ends.splice(0)) await end();
    await rm(home, { recursive: true });
  });

  const serve = async (script: GitScript) => {
    const server = await scriptedGitServer(script);
    ends.push(() => server.close());
    return server.origin;
  };
  const merge = (...sources: string[]) => {
    const messages = (found: readonly string[]) => Promise.resolve(new Map(found.map((one) => [one, one])));
    const input = { sources, targetBranch: 'main', messages };
    const git = gitIn(checkout.folder, undefined, { HOME: home, GIT_CONFIG_GLOBAL: undefined });
    return gateMerge(git, input, (_step, work) => work);
  };
  /** Pushes a branch whose submodules are at these commits. @param modules the text of `.gitmodules` */
  const push = async (gitlinks: Record<string, string>, modules?: string) => {
    await checkout.git('switch', '--quiet', '--force-create', 'lost', 'main');
    for (const [path, commit] of Object.entries(gitlinks)) {
      await checkout.git('update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
    }
    if (modules !== undefined) {
      const blob = await gitIn(checkout.folder).run(['hash-object', '-w', '--stdin'], modules);
      await checkout.git('update-index', '--cacheinfo', `100644,${blob.trim()},.gitmodules`);
    }
    await checkout.git('commit', '--quiet', '-m', 'Lost');
    await checkout.git('push', '--quiet', '--force', 'origin', 'lost');
    await checkout.git('switch', '--quiet', '--force', 'main');
    await checkout.git('clean', '-ffdq');
  };
  const refuse = (answer: string) => (response: ServerResponse) => response.end(answer);

  it.each<[string, GitScript['fetch']]>([
    ['as JGit does', refuse(line(`ERR want ${LOST} not valid`))],
    ['with words about this machine', refuse(line('ERR a\nremote: b: No space left on device'))],
    ['with 404', (response) => response.writeHead(404).end('Repository not found')],
  ])('is skipped if the remote answers, and refuses the commit %s', async (_what, fetch) => {
    await checkout.git('-C', 'library', 'remote', 'set-url', 'origin', `${await serve({ fetch })}/library`);
    await push({ library: LOST });
    const { merged, skipped } = await merge('lost', 'good');
    expect(skipped).toMatchObject([{ sourceBranch: 'lost', reason: 'submodule', files: ['library'] }]);
    expect(skipped[0]?.detail).toMatch(new RegExp(`submodule library .*commit ${LOST}`));
    expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
  });

  it('is not skipped if the remote of the target does not answer, so that any source could be met', async () => {
    await checkout.git('-C', 'library', 'remote', 'set-url', 'origin', 'http://127.0.0.1:9/library');
    await push({ library: LOST });
    await expect(merge('lost', 'good')).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  /** `.gitmodules` with one more submodule than the target has. */
  const modulesWith = async (path: string, url: string) =>
    (await checkout.git('show', 'main:.gitmodules')).concat(
      `\n[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`,
    );
  /** Has the remote of a repository served by a script. @param first its lines before the remote is served */
  const serveBy = async (first: string, ...repository: string[]) => {
    const script = join(await mkdtemp(join(home, 'serve-')), 'upload-pack');
    await writeFile(script, `#!/bin/sh\n${first}\nexec git upload-pack "$@"\n`, { mode: 0o755 });
    await checkout.git(...repository, 'config', 'remote.origin.uploadpack', shellQuote([script]));
    ends.push(
      async () => void (await checkout.git(...repository, 'config', '--unset', 'remote.origin.uploadpack')),
    );
  };

  it('is merged if the remote of the submodule failed only for a moment', async () => {
    await checkout.git('-C', 'library', 'remote', 'set-url', 'origin', join(home, 'library'));
    await checkout.git('-C', join(home, 'library'), 'commit', '--quiet', '--allow-empty', '-m', 'Two');
    const count = shellQuote([join(home, 'count')]);
    // git itself asks twice.
    await serveBy(`echo >> ${count}; test $(wc -l < ${count}) -gt 2 || exit 1`, '-C', 'library');
    await push({ library: (await checkout.git('-C', join(home, 'library'), 'rev-parse', 'HEAD')).trim() });
    expect(await merge('lost')).toMatchObject({ merged: [{ sourceBranch: 'lost' }], skipped: [] });
    await checkout.git('reset', '--quiet', '--hard', 'origin/main');
    await checkout.git('submodule', '--quiet', 'update');
  });

  it('is not skipped if it changes the address of a submodule whose remote of before does not answer', async () => {
    await checkout.git('-C', 'library', 'remote', 'set-url', 'origin', 'http://127.0.0.1:9/library');
    const modules = (await checkout.git('show', 'main:.gitmodules')).replace(/url = .*/, 'url = /elsewhere');
    await push({ library: LOST }, `${modules}\n`);
    await expect(merge('lost', 'good')).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  it('is not skipped for a new submodule if the remote of the target does not answer', async () => {
    await checkout.git('-C', 'library', 'remote', 'set-url', 'origin', 'http://127.0.0.1:9/library');
    const there = (await checkout.git('-C', join(home, 'library'), 'rev-parse', 'HEAD')).trim();
    await push({ library: LOST, lib: there }, await modulesWith('lib', join(home, 'library')));
    await expect(merge('lost', 'good')).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });

  const endless = Buffer.concat(Array<Buffer>(300).fill(sideBand(2, Buffer.alloc(60_000, 'x\n'))));

  it.each<[string, () => Promise<string>]>([
    ['that does not answer', () => Promise.resolve('http://127.0.0.1:9')],
    [
      'that sends messages without an end',
      () => serve({ fetch: (response) => response.write(line('packfile\n'), () => response.write(endless)) }),
    ],
  ])('is skipped if it adds a submodule at an address %s', async (_what, start) => {
    await push({ more: LOST }, await modulesWith('more', `${await start()}/more`));
    const { merged, skipped } = await merge('lost', 'good');
    expect(skipped).toMatchObject([{ sourceBranch: 'lost', reason: 'submodule', files: ['more'] }]);
    expect(skipped[0]?.detail).toMatch(/^The submodule more is new, and cannot be cloned: /);
    expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
  });

  it('is skipped if it adds a submodule that can be cloned, and lacks the commit', async () => {
    const library = join(home, 'filled');
    await checkout.git('init', '--quiet', library);
    await writeFile(join(library, 'file'), 'text\n');
    await checkout.git('-C', library, 'add', 'file');
    await checkout.git('-C', library, 'commit', '--quiet', '-m', 'One');
    await push({ filled: LOST }, await modulesWith('filled', library));
    const { merged, skipped } = await merge('lost', 'good');
    expect(skipped).toMatchObject([{ sourceBranch: 'lost', reason: 'submodule', files: ['filled'] }]);
    expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
  });

  it('is skipped if git would clone one of its submodules into the git folder of another', async () => {
    const there = (await checkout.git('-C', join(home, 'library'), 'rev-parse', 'HEAD')).trim();
    const named = (name: string, path: string) =>
      `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${join(home, 'library')}\n`;
    const modules = `${named('a/modules/b', 'one')}${named('a', 'two')}`;
    await push(
      { one: there, two: there },
      (await modulesWith('x', 'x')).replace(/\[submodule "x"[^]*$/, modules),
    );
    const { merged, skipped } = await merge('lost', 'good');
    expect(skipped).toMatchObject([{ sourceBranch: 'lost', reason: 'submodule' }]);
    expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
  });

  it('is skipped if it moves a submodule to a commit in which git would do that', async () => {
    const library = join(home, 'library');
    await checkout.git('-C', 'library', 'remote', 'set-url', 'origin', library);
    const there = (await checkout.git('-C', library, 'rev-parse', 'HEAD')).trim();
    const named = (name: string, path: string) =>
      `[submodule "${name}"]\n\tpath = ${path}\n\turl = ${library}\n`;
    for (const path of ['one', 'two']) {
      await checkout.git('-C', library, 'update-index', '--add', '--cacheinfo', `160000,${there},${path}`);
    }
    await writeFile(join(library, '.gitmodules'), `${named('a/modules/b', 'one')}${named('a', 'two')}`);
    await checkout.git('-C', library, 'add', '.gitmodules');
    await checkout.git('-C', library, 'commit', '--quiet', '-m', 'Nested');
    await push({ library: (await checkout.git('-C', library, 'rev-parse', 'HEAD')).trim() });
    const { merged, skipped } = await merge('lost', 'good');
    expect(skipped).toMatchObject([{ sourceBranch: 'lost', reason: 'submodule' }]);
    expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
  });

  it('is not skipped for a new submodule if origin does not answer by now either', async () => {
    const away = join(home, 'away');
    await serveBy(`test ! -e ${shellQuote([away])} || exit 1`);
    const origin = await serve({
      discovery: (response) => void writeFile(away, '').then(() => response.destroy()),
    });
    await push({ more: LOST }, await modulesWith('more', `${origin}/more`));
    await expect(merge('lost', 'good')).rejects.toMatchObject({ code: 'GIT_FAILED' });
  });
});
