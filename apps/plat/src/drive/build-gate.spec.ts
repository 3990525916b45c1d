import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DriveBench } from '../black-box/drive-bench';
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

  it('is the command that the target names, and never the one of the source', async () => {
    const file = (command: string) => `gate:\n  command: ${JSON.stringify(command)}\n`;
    await bench.checkout.commit({ '.plat/config.yaml': file('echo of the target') }, 'Gate');
    await bench.checkout.git('push', '--quiet', 'origin', 'main');
    const target = await bench.commit('HEAD');
    await bench.checkout.commit({ '.plat/config.yaml': file('exit 1') }, 'Another gate');
    expect(await gateOn(target)).toEqual({
      successful: true,
      tested: { stages: [], untestedImages: [], program: 'echo of the target' },
    });
    expect(printed).toContain('of the target');
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'that names no command',
      { '.plat/config.yaml': 'gate: {}\n' },
      /^\.plat\/config\.yaml of \w+:1: gate {} has neither command nor refuseUndone$/,
    ],
    ['with an unknown key', { '.plat/config.yaml': 'gates: {}\n' }, /gates is no known key/],
    ['that is too long', { '.plat/config.yaml': `#${'x'.repeat(1024 * 1024)}` }, /more than 1048576 bytes/],
  ])('refuses a file of the target %s', async (_what, files, message) => {
    await bench.checkout.commit(files, 'Gate');
    await expect(gateOn(await bench.commit('HEAD'))).rejects.toMatchObject({
      message: expect.stringMatching(message) as unknown,
      next: 'correct .plat/config.yaml on the target branch, or land a review that corrects it with --gate-command <command>; then repeat the command',
    });
  });

  it('refuses a link in the place of the file', async () => {
    await mkdir(join(bench.checkout.folder, '.plat'));
    await symlink('/etc/hostname', join(bench.checkout.folder, '.plat/config.yaml'));
    await bench.checkout.git('add', '--all');
    await bench.checkout.git('commit', '--quiet', '-m', 'Link');
    await expect(gateOn(await bench.commit('HEAD'))).rejects.toMatchObject({ code: 'CONFIG_UNREADABLE' });
  });
});
