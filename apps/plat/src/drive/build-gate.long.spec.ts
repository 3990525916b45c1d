import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench } from '../black-box/drive-bench';
import { filesInTheWay } from '../checkout/files-in-the-way';
import { readEnvironment } from '../environment';
import { gitIn } from '../git/git';
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
  const gate = async (checkOutTarget?: GateRun['checkOutTarget']) =>
    gateOn(await bench.commit('refs/remotes/origin/main'), checkOutTarget);
  function gateOn(
    targetCommit: string,
    checkOutTarget: GateRun['checkOutTarget'] = () => Promise.reject(new Error('asked')),
  ) {
    const variables = readEnvironment({ HOME: bench.home });
    return buildGate(variables).run({
      git: gitIn(bench.checkout.folder),
      targetCommit,
      checkOutTarget,
      interrupted: new AbortController().signal,
      output: (chunk) => (printed += chunk.toString()),
      beginning: () => Promise.resolve(),
    });
  }
  const to = (commit: string) => async () => {
    await gitIn(bench.checkout.folder).run(['checkout', '--quiet', '--detach', commit]);
  };

  it('throws an error if the target cannot be built either, and checks the merge out again', async () => {
    const target = await project('true', 'none');
    const merge = await project('true', 'neither');
    await expect(gate(to(target))).rejects.toMatchObject({
      message: expect.stringContaining('The target branch cannot be built either') as unknown,
      next: expect.stringContaining('mend the target branch on origin') as unknown,
    });
    expect(await bench.commit('HEAD')).toBe(merge);
  });

  it('fails a merge that takes the command away and cannot be built, since the next one could not be gated', async () => {
    await bench.checkout.commit({ '.plat/config.yaml': 'gate: {command: "true"}\n' }, 'Gate');
    const target = await bench.commit('HEAD');
    await bench.checkout.git('rm', '--quiet', '.plat/config.yaml');
    await bench.checkout.git('commit', '--quiet', '-m', 'No gate');
    expect(await gateOn(target)).toMatchObject({
      successful: false,
      detail: expect.stringContaining('takes the command of the gate out of .plat/config.yaml') as unknown,
    });
    await project('true', '1.0.0');
    expect(await gateOn(target)).toMatchObject({ successful: true });
  });

  it('names the command and its key if there is nothing to build, on the target either', async () => {
    const target = await bench.commit('HEAD');
    await expect(gate(to(target))).rejects.toMatchObject({
      code: 'NOTHING_TO_BUILD',
      next: expect.stringMatching(/--gate-command <command>.*block gate of \.plat\/config\.yaml/) as unknown,
    });
  });

  it('throws the reason if the target cannot be checked out', async () => {
    await project('true', 'none');
    const blocked = filesInTheWay(gitIn(bench.checkout.folder), ['app.out']);
    await expect(gate(() => Promise.reject(blocked))).rejects.toBe(blocked);
  });
});
