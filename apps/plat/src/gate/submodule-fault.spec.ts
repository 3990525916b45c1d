import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitScript, line, scriptedGitServer } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gateMerge } from './gate-merge';
import { gitIn } from './git';

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

  it('is skipped if it adds a submodule at an address that does not answer', async () => {
    const modules = (await checkout.git('show', 'main:.gitmodules')).concat(
      '\n[submodule "more"]\n\tpath = more\n\turl = http://127.0.0.1:9/more\n',
    );
    await push({ more: LOST }, modules);
    const { merged, skipped } = await merge('lost', 'good');
    expect(skipped).toMatchObject([{ sourceBranch: 'lost', reason: 'submodule', files: ['more'] }]);
    expect(skipped[0]?.detail).toMatch(/^The submodule more is new, and cannot be cloned: /);
    expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
  });
});
