import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveGit } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gitIn } from '../git/git';
import { type ReadinessCheck, readinessChecks, requireReadiness } from './readiness';

describe('what a drive needs before it takes a review', () => {
  let home: string;
  let checkout: GateCheckout;
  beforeEach(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), 'plat-ready-')));
    checkout = await GateCheckout.create({ home } as Machine);
    await checkout.git('config', 'user.name', 'Test');
    await checkout.git('config', 'user.email', 'test@example.com');
  });
  afterEach(() => rm(home, { recursive: true }));

  const input = () => ({ targetBranch: 'main', configFolder: join(home, 'config') });
  const look = (name: ReadinessCheck['name']) =>
    readinessChecks(gitIn(checkout.folder), input())
      .find((check) => check.name === name)!
      .look();
  const set = (key: string, value: string) => checkout.git('config', key, value);

  it('is there in a clone that can be pushed from, and nothing is changed by the look', async () => {
    const before = await checkout.everything();
    await expect(requireReadiness(gitIn(checkout.folder), input())).resolves.toBeUndefined();
    expect(await look('identity')).toBe('Test <test@example.com>');
    expect(await look('signing')).toBeUndefined();
    expect(await look('origin')).toBe(pathToFileURL(checkout.origin.replace(/\.git$/, '')).href);
    expect(await look('worktree')).toBe(`${checkout.folder}.plat-drive, which the first drive makes`);
    expect(await look('remote')).toContain(`main is at ${await checkout.git('rev-parse', 'main')}`);
    expect(await checkout.everything()).toBe(before);
    expect(await checkout.git('worktree', 'list')).not.toContain('.plat-drive');
  });

  it.each<[ReadinessCheck['name'], string, () => Promise<unknown>, string, RegExp]>([
    ['identity', 'has no name', () => set('user.name', ''), 'NO_IDENTITY', /^git config user\.name /],
    [
      'signing',
      'is asked for without a key',
      () => set('commit.gpgSign', 'true').then(() => set('gpg.program', 'false')),
      'CANNOT_SIGN',
      /commit\.gpgSign false/,
    ],
    [
      'origin',
      'is missing',
      () => checkout.git('remote', 'remove', 'origin'),
      'NO_REPOSITORY',
      /--repository/,
    ],
    [
      'remote',
      'does not answer',
      () => set('remote.origin.url', join(home, 'nowhere')),
      'REMOTE_UNREADABLE',
      /^git ls-remote origin/,
    ],
    [
      'remote',
      'has no such branch',
      () => checkout.git('-C', checkout.origin, 'branch', '--move', 'main', 'other'),
      'NO_SUCH_TARGET',
      /--target-branch <branch>/,
    ],
    [
      'remote',
      'takes no signed pushes',
      () => set('push.gpgSign', 'true'),
      'SIGNED_PUSH_UNSUPPORTED',
      /^git config push\.gpgSign if-asked/,
    ],
    [
      'remote',
      'takes no pushes',
      async () => {
        const refuse = join(home, 'receive-pack');
        await writeFile(refuse, '#!/bin/sh\necho "you may only read" >&2\nexit 1\n');
        await chmod(refuse, 0o755);
        await set('remote.origin.receivepack', refuse);
      },
      'PUSH_REFUSED',
      /a user who may push to main/,
    ],
  ])('%s: is missing if it %s, with the way to get it', async (name, _what, take, code, next) => {
    await take();
    await expect(look(name)).rejects.toMatchObject({ code, next: expect.stringMatching(next) as unknown });
    await expect(requireReadiness(gitIn(checkout.folder), input())).rejects.toMatchObject({ code });
  });

  it('remote: of a private authority is unreadable, and the next step is the setting of git', async () => {
    const server = await serveGit(home, { tls: true });
    await set('remote.origin.url', `${server.origin}/origin.git`);
    await expect(look('remote')).rejects.toMatchObject({
      code: 'REMOTE_UNREADABLE',
      next: expect.stringMatching(
        /^git config --global http\.sslCAInfo .*docs\/private-authority\.md/,
      ) as unknown,
    });
    await server.close();
  });

  it('signs a commit where commits are signed', async () => {
    await set('commit.gpgSign', 'true');
    const signer = join(home, 'signer');
    await writeFile(
      signer,
      '#!/bin/sh\ncat > /dev/null\necho "[GNUPG:] SIG_CREATED " >&2\necho "-----BEGIN PGP SIGNATURE-----"\n',
    );
    await chmod(signer, 0o755);
    await set('gpg.program', signer);
    expect(await look('signing')).toBe('a commit can be signed');
  });

  it('runs no hook of the person', async () => {
    const hook = join(checkout.folder, '.git/hooks/pre-push');
    await writeFile(hook, '#!/bin/sh\nexit 1\n');
    await chmod(hook, 0o755);
    await expect(look('remote')).resolves.toContain('main is at');
  });
});
