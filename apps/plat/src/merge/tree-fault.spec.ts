import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MadeFiles, makeBranch } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gateMerge } from '../gate/gate-merge';
import { gitFailure, gitIn } from '../git/git';
import { Failure } from '../terminal/failure';
import { isTreeFault } from './tree-fault';

describe('a source that no machine can check out', () => {
  let home: string;
  let checkout: GateCheckout;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'plat-fault-'));
    checkout = await GateCheckout.create({ home } as Machine);
    await checkout.branch('good', { 'good.txt': 'good\n' });
  });
  afterEach(() => rm(home, { recursive: true }));

  const merge = (...sources: string[]) => {
    const messages = (found: readonly string[]) => Promise.resolve(new Map(found.map((one) => [one, one])));
    const input = { sources, targetBranch: 'main', messages };
    return gateMerge(gitIn(checkout.folder), input, (_step, work) => work);
  };
  const push = (files: MadeFiles) => makeBranch({ bare: checkout.origin, branch: 'bad', files });

  it('is skipped if the filter of one of its files fails', async () => {
    await checkout.git('config', 'filter.bad.smudge', 'echo "no such object" >&2; false');
    await checkout.git('config', 'filter.bad.required', 'true');
    await push({ '.gitattributes': '*.bin filter=bad\n', 'a.txt': 'a\n', 'x.bin': 'x\n' });
    expect((await merge('bad', 'good')).skipped).toMatchObject([
      { sourceBranch: 'bad', reason: 'unusable', detail: expect.stringContaining('filter') as unknown },
    ]);
    expect(await checkout.git('status', '--porcelain')).toBe('');
  });

  it('is skipped if the file system does not distinguish two of its names', async () => {
    await checkout.git('config', 'core.ignoreCase', 'true');
    await push({ 'Readme.MD': 'other\n', 'Docs/a': 'a\n', 'docs/b': 'b\n', 'fine/c': 'c\n' });
    expect((await merge('bad', 'good')).skipped).toEqual([
      expect.objectContaining({ reason: 'unusable', files: ['Docs/a', 'Readme.MD', 'docs/b'] }),
    ]);
  });

  it.each<[string, MadeFiles, string]>([
    ['is a folder', { '.plat/config.yaml/x': 'x\n' }, 'it is no file'],
    ['has an unknown key', { '.plat/config.yaml': 'gaet: {}\n' }, 'gaet is no known key'],
    [
      'names no command',
      { '.plat/config.yaml': 'gate: {}\n' },
      'gate {} has neither command nor refuseUndone',
    ],
  ])(
    "is skipped if its project's file %s, since no later review could be gated",
    async (_what, files, detail) => {
      await push(files);
      const { skipped, merged } = await merge('bad', 'good');
      expect(skipped).toMatchObject([
        {
          reason: 'project-file',
          files: ['.plat/config.yaml'],
          detail: expect.stringContaining(detail) as unknown,
        },
      ]);
      expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    },
  );

  it('ends the gate if a file of a person is in the way, which no source can help', async () => {
    await push({ 'mine.txt': 'theirs\n' });
    await writeFile(join(checkout.folder, '.git/info/exclude'), 'mine.txt\n');
    await writeFile(join(checkout.folder, 'mine.txt'), 'mine\n');
    await expect(merge('bad')).rejects.toMatchObject({ code: 'FILES_IN_THE_WAY' });
  });

  it.each([
    ['error: unable to create file a: No space left on device\nfatal: cannot write', false],
    ["fatal: Unable to create '/app/.git/index.lock': File exists.", false],
    ['batch request: dial tcp: lookup git.example.com: no such host\nerror: external filter failed', false],
    [
      'Smudge error: batch response: Fatal error: Server error: https://x\nfatal: smudge filter lfs failed',
      false,
    ],
    ['error: unable to create file a: File name too long', true],
    ["error: invalid path 'git~1'", true],
  ])('is at fault for %j: %s', (stderr, isAtFault) => {
    const failure = gitFailure(['checkout'], { code: 1, stdout: '', stderr });
    expect(isTreeFault(failure)).toBe(isAtFault);
    expect(isTreeFault(new Failure('FILES_IN_THE_WAY', stderr))).toBe(false);
  });
});
