import { GitRemote } from '@plat/testing';
import { embeddedVerifierConfig } from '../config';
import { GuardedHttp } from '../transport/guarded-http';
import { answerQuestion } from './answer-question';

describe('the question whether a target branch can be read', () => {
  let remote: GitRemote;
  let tip: string;
  beforeAll(async () => {
    remote = await GitRemote.create();
    tip = await remote.commit({ a: '1' });
  });
  afterAll(() => remote.remove());

  async function ask(address: string, targetBranch: string): Promise<unknown> {
    const network = new GuardedHttp(embeddedVerifierConfig);
    try {
      return await answerQuestion({ condition: 'branch', address, targetBranch }, embeddedVerifierConfig, {
        network,
      });
    } finally {
      network.close();
    }
  }

  it('has the tip of the branch', async () => {
    expect(await ask(remote.fileUrl, 'main')).toEqual({ verified: true, landing: { targetTip: tip } });
  });

  it('distinguishes a missing branch from a missing repository, and names only the kind of the failure', async () => {
    expect(await ask(remote.fileUrl, 'nope')).toMatchObject({ verified: false, reason: 'branch_missing' });
    expect(await ask(`${remote.fileUrl}/nope`, 'main')).toMatchObject({
      verified: false,
      reason: 'remote_unreadable',
    });
  });
});
