import type { MergeReceipt } from '@plat/api-client';
import { checkWords } from './receipt-words';

const ID = 'a'.repeat(40);
const receipt = {
  remoteUrl: 'git@git.example.com:acme/app.git',
  targetBranch: 'main',
  sourceBranch: 'feature/1-x',
  targetTip: ID,
  commitId: ID,
} as unknown as MergeReceipt;

describe("a receipt's words", () => {
  it('are ids, branches and a remote; an id may be missing', () => {
    checkWords(receipt);
    checkWords({ ...receipt, sourceTip: ID, anchorCommitId: ID, parentCommitId: ID, treeId: ID });
    checkWords({ ...receipt, landedCommitId: ID, builtOnCommitId: ID });
    checkWords({
      ...receipt,
      findings: [
        { kind: 'earlier', path: 'a', commitId: ID },
        { kind: 'extra', path: 'b' },
      ],
    });
  });

  it.each([
    ['sourceTip', '--upload-pack=touch here'],
    ['sourceTip', [ID]],
    ['commitId', '--output=here'],
    ['commitId', 'HEAD'],
    ['landedCommitId', '--output=here'],
    ['builtOnCommitId', 'HEAD'],
    ['findings', [{ kind: 'earlier', path: 'a', commitId: '--output=here' }]],
    ['findings', [{ kind: 'earlier', path: 'a', commitId: [ID] }]],
    ['findings', 'HEAD'],
    ['anchorCommitId', ''],
    ['parentCommitId', `${ID}\n`],
    ['treeId', 'A'.repeat(40)],
    ['targetTip', null],
    ['targetBranch', '-x'],
    ['targetBranch', 'main:refs/heads/other'],
    ['sourceBranch', undefined],
    ['remoteUrl', 'ext::sh -c here'],
    ['remoteUrl', 'demo::anything@git.example.com:acme/app'],
    ['remoteUrl', 'ext::sh -c here%S@git.example.com:acme/app'],
    ['remoteUrl', '-oProxyCommand=here@git.example.com:acme/app'],
    ['remoteUrl', '--upload-pack=here'],
    ['remoteUrl', 'ssh://-oProxyCommand=here/r'],
    ['remoteUrl', undefined],
  ])('%s is refused: %j', (field, value) => {
    expect(() => checkWords({ ...receipt, [field]: value } as MergeReceipt)).toThrow(
      expect.objectContaining({
        code: 'RECEIPT_NOT_READABLE',
        message: `the receipt's ${field} can't be read.`,
      }),
    );
  });
});
