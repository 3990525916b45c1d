import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn } from '../git/git';
import { commandGate } from './command-gate';

describe('a gate command that fails', () => {
  it('is reported with the end of its output, without the credentials in it', async () => {
    const token = 'x'.repeat(2000);
    const outcome = await commandGate(
      `echo "cannot read https://ci:${token}@git.example.com/app, Bearer ${token}" >&2; exit 3`,
    ).run({
      git: gitIn(tmpdir()),
      targetCommit: '',
      checkOutTarget: () => Promise.reject(new Error('a command looks at the merge alone')),
      interrupted: new AbortController().signal,
      output: () => undefined,
      beginning: () => Promise.resolve(),
    });
    expect(outcome).toEqual({
      successful: false,
      detail: 'The gate exited with 3.\ncannot read https://git.example.com/app, Bearer ***',
    });
  });
});

describe('a gate command that the shell cannot run', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'plat-gate-'))));
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs it on a merge without the program, and on a target that has the given one, or none. */
  const run = (command: string, program?: string) =>
    commandGate(command).run({
      git: gitIn(folder),
      targetCommit: '',
      checkOutTarget: async () => {
        if (program !== undefined) await writeFile(join(folder, 'check'), program, { mode: 0o755 });
      },
      interrupted: new AbortController().signal,
      output: () => undefined,
      beginning: () => Promise.resolve(),
    });

  it.each([
    ['passes', '#!/bin/sh\nexit 0\n'],
    ['fails', '#!/bin/sh\nexit 1\n'],
  ])('fails the review if it %s on the target, so that no branch holds the queue', async (_how, program) => {
    expect(await run('./check', program)).toEqual({
      successful: false,
      detail: expect.stringMatching(
        /^On the target the command can be run, but not on the merge\. The gate exited with 127: .*check/,
      ) as unknown,
    });
  });

  it.each<[string, string?]>([
    ['./check', '#!/bin/sh\nexit 127\n'],
    ['./check', undefined],
    ['no-such-program', '#!/bin/sh\nexit 0\n'],
  ])('fails no review if it cannot be run on the target either: %s', async (command, program) => {
    await expect(run(command, program)).rejects.toMatchObject({
      code: 'GATE_NOT_RUNNABLE',
      next: 'correct --gate-command',
    });
  });
});
