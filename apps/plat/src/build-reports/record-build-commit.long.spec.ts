import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bodiesOf, RecordedBuilds, SOURCE } from '../black-box/recorded-builds';

describe('plat review record-build, of the checked-out commit', () => {
  const made = new RecordedBuilds();
  afterAll(() => made.remove());

  describe('with --gate', () => {
    it.each([
      ['nothing else', []],
      ['--vouch', ['--vouch']],
      ['--dry-run', ['--dry-run']],
    ])('after a gate that failed refuses, with %s, and names --failed and the gate', async (_what, more) => {
      const { platform, gate, record, push, mergeCommit } = await made.mergeSource();
      expect(await gate(0)).toBe(0);
      expect(await gate(1)).toBe(1);
      for (const named of [[], [`--commit-id=${mergeCommit}`]]) {
        const refused = (await record('--gate', ...more, ...named)).json<{ details: { next: string } }>();
        expect(refused).toMatchObject({ code: 'GATE_FAILED', details: { commitId: mergeCommit } });
        expect(refused.details.next).toMatch(/--gate --failed .*plat build --gate/);
      }
      expect(bodiesOf(platform)).toEqual([]);
      expect((await push()).json()).toMatchObject({ code: 'GATE_FAILED' });
      expect(await gate(0)).toBe(0);
      expect((await record('--gate')).code).toBe(0);
    });

    it('after a gate that failed does not push the commit that --commit-id names', async () => {
      const { machine, checkout, gate, mergeCommit } = await made.mergeSource();
      expect(await gate(1)).toBe(1);
      const push = ['exec', 'push', '--json', `--commit-id=${mergeCommit}`];
      expect((await machine.plat(push, { cwd: checkout.folder })).json()).toMatchObject({
        code: 'GATE_FAILED',
      });
    });

    it('records a merge whose gate run has passed on the platform, and none whose run has failed', async () => {
      const { platform, know, gate, record } = await made.mergeSource();
      const [past, future] = [new Date(0), new Date(Date.now() + 3_600_000)];
      know('RUNNING', past);
      expect((await record('--gate')).json()).toMatchObject({ code: 'NOT_GATED' });
      know('FAILED', past);
      expect((await record('--gate', '--vouch')).json()).toMatchObject({ code: 'GATE_FAILED' });
      know('PASSED', past);
      expect((await record('--gate')).code).toBe(0);
      // The last gate decides, wherever it ran.
      expect(await gate(1)).toBe(1);
      expect((await record('--gate')).json()).toMatchObject({ code: 'GATE_FAILED' });
      know('PASSED', future);
      expect((await record('--gate')).code).toBe(0);
      expect(bodiesOf(platform)).toHaveLength(2);
    });

    it('counts the command that the target names as its gate, and no command of the source', async () => {
      const stand = await made.setUp();
      const { machine, checkout, merge, record } = stand;
      const file = (command: string) => ({ '.plat/config.yaml': `gate:\n  command: ${command}\n` });
      await checkout.git('switch', '--quiet', 'main');
      await checkout.commit(file("'test -e limits.txt && echo tested'"), 'Gate');
      await checkout.git('push', '--quiet', 'origin', 'main');
      await checkout.git('switch', '--quiet', '--detach', 'main');
      await checkout.commit({ ...file('exit 1'), 'limits.txt': 'limits\n' }, 'Another gate');
      await checkout.git('push', '--quiet', '--force', 'origin', `HEAD:${SOURCE}`);
      await checkout.git('switch', '--quiet', 'main');
      const build = () => machine.plat(['build', '--gate', '--json'], { cwd: checkout.folder });
      // Without origin/HEAD no target is known.
      expect((await build()).json()).toMatchObject({ code: 'NOTHING_TO_BUILD' });
      await checkout.git('remote', 'set-head', 'origin', 'main');
      expect((await build()).json()).toMatchObject({ code: 'GATE_FAILED' });
      await merge();
      const tested = { stages: [], untestedImages: [], program: 'test -e limits.txt && echo tested' };
      const run = await build();
      expect(run.stderr).toContain('tested');
      expect(run.json()).toEqual({ commitId: await checkout.git('rev-parse', 'HEAD'), gate: true, tested });
      expect((await record('--gate')).code).toBe(0);
    });

    it('does not count a gate of files that are not in the commit', async () => {
      const { checkout, gate, record } = await made.mergeSource();
      await writeFile(join(checkout.folder, 'numbers.txt'), 'changed\n');
      expect(await gate(0)).toBe(0);
      await checkout.git('checkout', '--quiet', '--', '.');
      expect((await record('--gate')).json()).toMatchObject({ code: 'NOT_GATED' });
    });
  });
});
