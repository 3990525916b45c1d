import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench } from '../black-box/drive-bench';
import { readEnvironment } from '../environment';
import { filesInTheWay } from '../gate/files-in-the-way';
import { gitIn } from '../gate/git';
import { buildGate } from './build-gate';
import type { GateRun } from './gate';

describe('the gate that builds the merge', () => {
  let bench: DriveBench;
  let printed: string;
  beforeEach(async () => {
    printed = '';
    bench = await DriveBench.set();
  });
  afterEach(() => bench.strike());

  /** A commit on the local main, which its script builds. */
  async function project(script: string, version: string): Promise<string> {
    const path = join(bench.checkout.folder, 'build.sh');
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return bench.checkout.commit({ VERSION: `${version}\n` }, version);
  }
  function gate(checkOutTarget: GateRun['checkOutTarget'] = () => Promise.reject(new Error('asked'))) {
    const variables = readEnvironment({ HOME: bench.home });
    return buildGate(variables).run({
      git: gitIn(bench.checkout.folder),
      checkOutTarget,
      interrupted: new AbortController().signal,
      output: (chunk) => (printed += chunk.toString()),
      beginning: () => Promise.resolve(),
    });
  }
  const to = (commit: string) => async () => {
    await gitIn(bench.checkout.folder).run(['checkout', '--quiet', '--detach', commit]);
  };

  it('passes if the build exits with 0, and forwards its output', async () => {
    await project('echo built', '1.0.0');
    const tested = { stages: [], untestedImages: [], program: 'build.sh' };
    expect(await gate()).toEqual({ successful: true, tested });
    expect(printed).toContain('built');
  });

  it('fails the review if the build fails, with the exit code', async () => {
    await project('echo broken; exit 3', '1.0.0');
    expect(await gate()).toMatchObject({
      successful: false,
      detail: expect.stringContaining('3') as unknown,
    });
  });

  it('fails the review if only its merge cannot be built, and checks the merge out again', async () => {
    const target = await project('true', '1.0.0');
    const merge = await project('true', 'none');
    expect(await gate(to(target))).toMatchObject({
      successful: false,
      detail: expect.stringContaining('VERSION') as unknown,
    });
    expect(await bench.checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('main');
    expect(await bench.commit('HEAD')).toBe(merge);
  });

  it('throws an error if the target cannot be built either, and checks the merge out again', async () => {
    const target = await project('true', 'none');
    const merge = await project('true', 'neither');
    await expect(gate(to(target))).rejects.toMatchObject({
      message: expect.stringContaining('The target branch cannot be built either') as unknown,
      next: expect.stringContaining('mend the target branch on origin') as unknown,
    });
    expect(await bench.commit('HEAD')).toBe(merge);
  });

  it('throws the reason if the target cannot be checked out', async () => {
    await project('true', 'none');
    const blocked = filesInTheWay(gitIn(bench.checkout.folder), ['app.out']);
    await expect(gate(() => Promise.reject(blocked))).rejects.toBe(blocked);
  });
});
