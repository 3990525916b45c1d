import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitRemote, type ServedGit, serveGit } from '@plat/testing';
import { embeddedVerifierConfig, type VerifierCaps } from '../config';
import { askInProcess } from './ask-in-process';

/**
 * A server leaves out the commits that both branches have. If the verifier trusted a server that leaves out more, the
 * merge base would move back to a commit since which the source's change set is smaller.
 */
describe('condition B, if the server leaves commits out', () => {
  let remote: GitRemote;
  const served: ServedGit[] = [];
  beforeEach(async () => (remote = await GitRemote.create()));
  afterEach(async () => {
    await Promise.all(served.splice(0).map((server) => server.close()));
    await remote.remove();
  });

  const ask = (address = remote.fileUrl, caps: Partial<VerifierCaps> = {}) =>
    askInProcess(
      { condition: 'history', address, targetBranch: 'main', sourceBranch: 'feature' },
      { ...embeddedVerifierConfig, caps: { ...embeddedVerifierConfig.caps, ...caps } },
    );
  async function overV0(): Promise<string> {
    const server = await serveGit(remote.projectRoot, { protocol: 'v0' });
    served.push(server);
    return `${server.origin}/repo/.git`;
  }

  describe('the path from the target to the merge base', () => {
    const gap = { verified: false, judged: false, reason: 'remote_unreadable', cause: 'history with a gap' };
    let landing: string;

    /**
     * The source removes `taken` and adds `added`. The target has `added` only, and a second path that avoids the base.
     */
    beforeEach(async () => {
      const root = await remote.commit({ file: 'file\n' });
      await remote.commit({ taken: 'taken\n' });
      await remote.switch('feature', 'main');
      await remote.commit({ taken: null, added: 'added\n' });
      await remote.switch('side', root);
      await remote.commit({ side: 'side\n' });
      await remote.switch('main');
      await remote.commit({ own: 'one\n' });
      await remote.commit({ own: 'two\n' });
      await remote.git('merge', '--quiet', '--no-commit', '--no-ff', 'side');
      landing = await remote.commit({ added: 'added\n' });
      expect(await ask()).toMatchObject({ verified: false, judged: true, reason: 'not_landed' });
    });

    it('is missing on a grafted server, which is not judged', async () => {
      const side = await remote.git('rev-parse', 'side');
      await writeFile(join(remote.directory, 'info', 'grafts'), `${landing} ${side}\n`);
      expect(await ask()).toMatchObject(gap);
      expect(await ask(await overV0())).toMatchObject(gap);
    });

    it('is missing on a shallow server, which is not judged', async () => {
      await writeFile(join(remote.directory, 'shallow'), `${await remote.git('rev-parse', 'main^')}\n`);
      expect(await ask()).toMatchObject(gap);
      expect(await ask(await overV0())).toMatchObject(gap);
    });
  });

  describe('commits that the target merged from branches that parted before the merge base', () => {
    beforeEach(async () => {
      await remote.commit({ file: '1\n' });
      const oldest = await remote.commit({ file: '2\n' });
      await remote.commit({ file: '3\n' });
      const older = await remote.commit({ file: '4\n' });
      await remote.commit({ file: '5\n' });
      await remote.commit({ file: '6\n' });
      await remote.switch('feature', 'main');
      await remote.commit({ added: 'added\n' });
      for (const [name, start] of Object.entries({ older, oldest })) {
        await remote.switch(name, start);
        await remote.commit({ [name]: 'other\n' });
        await remote.switch('main');
        await remote.merge(name);
      }
    });

    it('are proven to lie below the merge base, level by level', async () => {
      const base = await remote.git('merge-base', 'main', 'feature');
      expect(await ask()).toMatchObject({ verified: false, judged: true, reason: 'not_landed' });
      const landed = await remote.squash('feature');
      expect(await ask()).toMatchObject({
        verified: true,
        landing: { mergeBases: [base], carrierCommitId: landed },
      });
    });

    it('are not requested beyond the cap', async () => {
      await remote.squash('feature');
      expect(await ask(undefined, { boundaryCommits: 1 })).toMatchObject({
        judged: false,
        reason: 'remote_too_large',
        cause: 'branches touch each other too often',
      });
    });
  });
});
