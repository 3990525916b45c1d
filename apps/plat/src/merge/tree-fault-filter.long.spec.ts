import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MadeFiles, makeBranch } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import type { Machine } from '../black-box/plat-process';
import { gateMerge } from '../gate/gate-merge';
import { gitIn } from '../git/git';

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

  describe('whose filter does not reach its server', () => {
    const files = { '.gitattributes': '*.bin filter=bad\n', 'x.bin': 'x\n' };
    beforeEach(async () => {
      await checkout.git('config', 'filter.bad.smudge', 'echo "dial tcp: connection refused" >&2; false');
      await checkout.git('config', 'filter.bad.required', 'true');
    });

    it('is skipped if it names the server of git-lfs itself', async () => {
      await push({ ...files, '.lfsconfig': '[lfs]\n\turl = https://gone.example.com\n' });
      const { merged, skipped } = await merge('bad', 'good');
      expect(skipped).toMatchObject([{ sourceBranch: 'bad', reason: 'unusable', files: ['.lfsconfig'] }]);
      expect(merged).toMatchObject([{ sourceBranch: 'good' }]);
    });

    it('is not skipped if the server is that of the target', async () => {
      await push(files);
      await expect(merge('bad', 'good')).rejects.toMatchObject({ code: 'GIT_FAILED' });
    });
  });

  it("is merged if the target's own project file is at fault, which it may mend", async () => {
    await checkout.commit({ '.plat/config.yaml': 'gaet: {}\n' }, 'Broken');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.branch('mended', { '.plat/config.yaml': 'gate: {command: "true"}\n' });
    expect((await merge('mended')).merged).toMatchObject([{ sourceBranch: 'mended' }]);
  });
});
