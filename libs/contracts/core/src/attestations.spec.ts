import { attestedCommit, type AttestedMerge, receiptAttestation, summaryAttestation } from './attestations';

const [COMMIT, OTHER, TREE] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
const KEY = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs';

const merge = (fields: Partial<AttestedMerge> = {}): AttestedMerge => ({
  remoteUrl: 'https://git.example.com/acme/app.git',
  targetBranch: 'release/1',
  commitId: COMMIT,
  treeId: TREE,
  contentVerdict: 'EXACT',
  verifiedAt: '2026-11-28T10:00:00.000Z',
  ...fields,
});

describe('the attestation of a receipt', () => {
  it('is about the landed commit and its tree, and has the statement as it is', () => {
    expect(receiptAttestation(merge())).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ digest: { gitCommit: COMMIT, gitTree: TREE } }],
      predicateType: 'urn:plat:merge-receipt:1',
      predicate: merge(),
    });
  });

  it('is about the commit that the verdict is about, and has no tree, which is that of the reported commit', () => {
    const landed = merge({ landedCommitId: OTHER, contentVerdict: 'SAME_CHANGE' });
    expect(attestedCommit(landed)).toBe(OTHER);
    expect(receiptAttestation(landed)?.subject).toEqual([{ digest: { gitCommit: OTHER } }]);
  });

  it('is not made if no commit is known', () => {
    const { commitId: _commit, ...without } = merge();
    expect([receiptAttestation(without), summaryAttestation(without, KEY)]).toEqual([undefined, undefined]);
  });
});

describe('the summary of SLSA', () => {
  it('names the key, the repository, the branch, and no level that plat does not see', () => {
    expect(summaryAttestation(merge(), KEY)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        {
          digest: { gitCommit: COMMIT, gitTree: TREE },
          annotations: { sourceRefs: ['refs/heads/release/1'] },
        },
      ],
      predicateType: 'https://slsa.dev/verification_summary/v1',
      predicate: {
        verifier: { id: `urn:ietf:params:oauth:jwk-thumbprint:sha-256:${KEY}` },
        timeVerified: '2026-11-28T10:00:00.000Z',
        resourceUri: 'git+https://git.example.com/acme/app.git',
        policy: { uri: 'urn:plat:merge-policy:1' },
        verificationResult: 'PASSED',
        verifiedLevels: ['SLSA_SOURCE_LEVEL_1', 'PLAT_CONTENT_EXACT'],
        slsaVersion: '1.2',
      },
    });
  });

  it('has the time at which the content was judged', () => {
    const contentJudgedAt = '2026-11-28T11:00:00.000Z';
    expect(summaryAttestation(merge({ contentJudgedAt }), KEY)?.predicate).toMatchObject({
      timeVerified: contentJudgedAt,
    });
  });

  it.each(['BY_HAND', 'DIVERGENT', 'UNKNOWN'] as const)('is not made of a landing that is %s', (verdict) => {
    expect(summaryAttestation(merge({ contentVerdict: verdict }), KEY)).toBeUndefined();
  });

  it.each([
    ['HTTPS://Git.Example.com/Acme/App', 'git+https://git.example.com/Acme/App'],
    ['ssh://git@git.example.com:2222/acme/app.git', 'git+ssh://git@git.example.com:2222/acme/app.git'],
    ['/srv/git/an app#1.git', 'git+file:///srv/git/an%20app%231.git'],
  ])('names %s as %s', (remoteUrl, resourceUri) => {
    expect(summaryAttestation(merge({ remoteUrl }), KEY)?.predicate).toMatchObject({ resourceUri });
  });

  it.each(['git@git.example.com:acme/app.git', 'app.git', 'ext::sh -c true'])(
    'is not made of the remote %s, which is no URI',
    (remoteUrl) => {
      expect(summaryAttestation(merge({ remoteUrl }), KEY)).toBeUndefined();
    },
  );
});
