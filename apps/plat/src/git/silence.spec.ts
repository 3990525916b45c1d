import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@plat/testing';
import { boundsFor, gitIn, spawnGit } from './git';
import { lifeOf, SILENCE_OF_SUBMODULES, SilenceJudge } from './silence';

const MINUTE = 60_000;

describe('the silence of a command that talks to a remote', () => {
  /** The minute of the first look that finds it silent; undefined: none in two hours. */
  function silentAt(lifeAt: (minute: number) => { bytes: string; computedMilliseconds: number }) {
    const judge = new SilenceJudge(30 * MINUTE);
    for (let minute = 0; minute < 120; minute += 1) {
      if (judge.isSilent(lifeAt(minute), minute * MINUTE)) return minute;
    }
    return undefined;
  }

  it.each([
    ['nothing is done', () => ({ bytes: 'a', computedMilliseconds: 5 }), 31],
    ['it only wakes', (at: number) => ({ bytes: 'a', computedMilliseconds: at * 10 }), 31],
    ['it stops', (at: number) => ({ bytes: `${Math.min(at, 60)}`, computedMilliseconds: 0 }), 91],
  ])('ends it if %s for longer than the bound', (_what, lifeAt, minute) => {
    expect(silentAt(lifeAt)).toBe(minute);
  });

  it.each([
    ['moves a byte', (at: number) => ({ bytes: `${Math.floor(at / 29)}`, computedMilliseconds: 0 })],
    ['computes', (at: number) => ({ bytes: 'a', computedMilliseconds: at * 1000 })],
  ])('never ends it while it %s', (_what, lifeAt) => {
    expect(silentAt(lifeAt)).toBeUndefined();
  });

  it('is broken by a byte in a process that the command has started', async () => {
    const child = spawn('sh', ['-c', 'cat; :'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const say = async () => {
      child.stdin.write('x');
      await once(child.stdout, 'data');
    };
    try {
      await say();
      const before = await lifeOf(child.pid!);
      await say();
      const after = await lifeOf(child.pid!);
      expect([before?.bytes, after?.bytes]).toEqual([expect.any(String), expect.any(String)]);
      expect(after?.bytes).not.toBe(before?.bytes);
    } finally {
      child.stdin.end();
      await once(child, 'close');
    }
  });
});

it('git of a remote over ssh that says nothing is ended, with what it has started', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-silence-'));
  try {
    await gitIn(folder).run(['init', '--quiet', '--bare', '.']);
    const ssh = join(folder, 'ssh');
    await writeFile(ssh, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    const listing = spawnGit(folder, ['ls-remote', 'ssh://git.example.com/acme/app'], {
      variables: { GIT_SSH_COMMAND: `'${ssh}'`, GIT_SSH_VARIANT: 'simple' },
      silence: { silentMilliseconds: 300, lookMilliseconds: 50 },
    });
    await expect(listing).rejects.toMatchObject({ code: 'REMOTE_SILENT' });
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('the time of a submodule is bounded in all, and not that of a repository that a person chose', () => {
  expect(boundsFor(['-C', '.', 'submodule', 'update'])).toBe(SILENCE_OF_SUBMODULES);
  expect(boundsFor(['-C', 'libs/one', 'ls-remote', '--quiet'])).toBe(SILENCE_OF_SUBMODULES);
  expect(boundsFor(['-C', '.', 'ls-remote', 'origin']).wholeMilliseconds).toBeUndefined();
  expect(boundsFor(['fetch', 'origin']).wholeMilliseconds).toBeUndefined();
});

it('git of a submodule whose remote sends a byte now and then for ever is ended', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-silence-'));
  try {
    await gitIn(folder).run(['init', '--quiet', '--bare', '.']);
    const ssh = join(folder, 'ssh');
    await writeFile(ssh, '#!/bin/sh\nwhile :; do printf x >&2; sleep 0.05; done\n', { mode: 0o755 });
    const listing = spawnGit(folder, ['ls-remote', 'ssh://git.example.com/acme/app'], {
      variables: { GIT_SSH_COMMAND: `'${ssh}'`, GIT_SSH_VARIANT: 'simple' },
      silence: { ...SILENCE_OF_SUBMODULES, wholeMilliseconds: 500 },
    });
    await expect(listing).rejects.toMatchObject({
      code: 'REMOTE_SILENT',
      message: expect.stringContaining('within'),
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
