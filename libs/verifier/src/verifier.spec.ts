import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { GitRemote, type ServedGit, serveGit, verifierWorkerFile } from '@plat/testing';
import { defaultVerifierConfig, embeddedVerifierConfig, type VerifierConfig } from './config';
import { unknown } from './content/content-verdict';
import { Verifier } from './verifier';
import { VerifierUnavailable } from './worker/unavailable';

describe('Verifier', () => {
  let remote: GitRemote;
  let anchor: string;
  let commitId: string;
  const started: { close(): Promise<void> }[] = [];

  beforeEach(async () => {
    remote = await GitRemote.create();
    anchor = await remote.commit({ a: '1' });
    commitId = await remote.commit({ a: '2' });
    await remote.commit({ a: '3' });
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((part) => part.close()));
    await remote.remove();
  });

  let shared: Verifier | undefined;
  afterAll(() => shared?.close());

  /** One verifier for all tests, which starts its worker once; one of the test's own if it names a configuration. */
  async function verifier(config?: Partial<VerifierConfig>): Promise<Verifier> {
    if (config === undefined && shared !== undefined) return shared;
    const made = new Verifier(
      { ...embeddedVerifierConfig, ...config },
      { workerFile: await verifierWorkerFile() },
    );
    if (config === undefined) shared = made;
    else started.push(made);
    return made;
  }
  async function serveRemote(
    ...options: Parameters<typeof serveGit> extends [string, ...infer Rest] ? Rest : never
  ): Promise<ServedGit> {
    const server = await serveGit(remote.projectRoot, ...options);
    started.push(server);
    return server;
  }
  const question = (remoteUrl: string) => ({
    remoteUrl,
    targetBranch: 'main',
    commitId,
    anchorCommitId: anchor,
  });

  describe.each([
    ['protocol v2', {}],
    ['protocol v2 without filter', { allowFilter: false }],
    ['protocol v0', { protocol: 'v0' as const }],
    ['protocol v0 without filter', { protocol: 'v0' as const, allowFilter: false }],
  ])('over http, %s', (_, { allowFilter = true, ...options }: { allowFilter?: boolean; protocol?: 'v0' }) => {
    it('accepts a landed commit and refuses one that did not land', async () => {
      await remote.git('config', 'uploadpack.allowFilter', String(allowFilter));
      const { origin } = await serveRemote(options);
      const asked = question(`${origin}/repo/.git`);
      const made = await verifier();
      expect(await made.verifyQueueLanding(asked)).toMatchObject({ verified: true, landing: { commitId } });
      expect(await made.verifyQueueLanding({ ...asked, commitId: 'a'.repeat(40) })).toMatchObject({
        judged: true,
        reason: 'commit_not_on_target',
      });
      expect(
        await made.verifyQueueLanding({ ...asked, commitId: anchor, anchorCommitId: commitId }),
      ).toMatchObject({
        judged: true,
        reason: 'gated_tip_lost',
      });
    });
  });

  it.each(['https', 'http', 'file', 'path', 'v0'] as const)(
    'accepts a landing outside of a queue and refuses a missing one, over %s',
    async (way) => {
      await remote.switch('feature', 'main~1');
      await remote.commit({ b: '1' });
      await remote.switch('main');
      const server = await serveRemote({ tls: way === 'https', protocol: way === 'v0' ? way : undefined });
      const remoteUrl =
        { file: remote.fileUrl, path: remote.directory }[way as string] ?? `${server.origin}/repo/.git`;
      const made = await verifier({ certificateAuthorities: [server.certificate].filter(Boolean) });
      const asked = { remoteUrl, targetBranch: 'main', sourceBranch: 'feature' };
      expect(await made.verifyHistoryLanding(asked)).toMatchObject({ judged: true, reason: 'not_landed' });
      const carrierCommitId = await remote.squash('feature');
      expect(await made.verifyHistoryLanding(asked)).toMatchObject({
        verified: true,
        landing: { proof: 'change_set', carrierCommitId },
      });
    },
  );

  it('answers from the refs alone if the tip is the commit and there is no anchor', async () => {
    const { origin, requests } = await serveRemote();
    const tip = await remote.head();
    const asked = { remoteUrl: `${origin}/repo/.git`, targetBranch: 'main', commitId: tip };
    expect(await (await verifier()).verifyQueueLanding(asked)).toMatchObject({ verified: true });
    expect(requests).toHaveLength(2);
  });

  it('fetches only the commits that landed since the anchor', async () => {
    await remote.commit({ large: Buffer.alloc(1_000_000, Math.random().toString()) });
    const { origin, bytesSent } = await serveRemote();
    const made = await verifier();
    await made.verifyQueueLanding(question(`${origin}/repo/.git`));
    expect(bytesSent()).toBeLessThan(2_000);
  });

  it('fetches nothing for a commit that the remote does not know', async () => {
    const { origin, bytesSent, requests } = await serveRemote();
    const asked = { remoteUrl: `${origin}/repo/.git`, targetBranch: 'main', commitId: 'c'.repeat(40) };
    expect(await (await verifier()).verifyQueueLanding(asked)).toMatchObject({ judged: true });
    expect(requests).toHaveLength(3);
    expect(bytesSent()).toBeLessThan(1_000);
  });

  it('fetches only the commits that two branches do not share', async () => {
    for (let number = 0; number < 20; number += 1) await remote.commit();
    await remote.switch('feature', 'main');
    await remote.commit({ b: '1' });
    await remote.switch('main');
    const { origin, bytesSent } = await serveRemote();
    const asked = { remoteUrl: `${origin}/repo/.git`, targetBranch: 'main', sourceBranch: 'feature' };
    expect(await (await verifier()).verifyHistoryLanding(asked)).toMatchObject({ reason: 'not_landed' });
    expect(bytesSent()).toBeLessThan(1_500);
  });

  it('fetches only the commits above the reported one if there is no anchor', async () => {
    for (let number = 0; number < 20; number += 1) await remote.commit();
    const [first, second] = [await serveRemote(), await serveRemote()];
    const asked = { targetBranch: 'main', commitId: await remote.git('rev-parse', 'main~1') };
    const made = await verifier();
    await made.verifyQueueLanding({ ...asked, remoteUrl: `${first.origin}/repo/.git` });
    await made.verifyQueueLanding({ ...asked, commitId, remoteUrl: `${second.origin}/repo/.git` });
    expect(second.bytesSent() - first.bytesSent()).toBeGreaterThan(1_000);
  });

  it.each(['fileUrl', 'worktree', 'directory'] as const)(
    'reads a local repository by its %s',
    async (form) => {
      expect(await (await verifier()).verifyQueueLanding(question(remote[form]))).toMatchObject({
        verified: true,
      });
    },
  );

  it('reads a local repository with any characters in its path', async () => {
    const directory = `${remote.projectRoot}/a b#c?d%41é.git`;
    await remote.git('clone', '--quiet', '--bare', '.', directory);
    const made = await verifier();
    expect(await made.verifyQueueLanding(question(directory))).toMatchObject({ verified: true });
    expect(await made.verifyQueueLanding(question(pathToFileURL(directory).href))).toMatchObject({
      verified: true,
    });
  });

  it.each([
    '',
    'o/r',
    '../repo',
    'git://example.com/o/r',
    '-u',
    'ftp://example.com/o/r',
    'ext::sh -c id',
    'ssh://-oProxyCommand=id/o/r',
    '-oProxyCommand=id:o/r',
    'git@localhost.:o/r.git',
  ])('refuses %j, which it cannot read', async (remoteUrl) => {
    expect(await (await verifier()).verifyQueueLanding(question(remoteUrl))).toMatchObject({
      verified: false,
      judged: false,
      reason: 'remote_refused',
    });
  });

  it.each(['file', 'v2', 'v0'] as const)('refuses a repository with SHA-256 ids, over %s', async (way) => {
    const other = await GitRemote.create();
    started.push({ close: () => other.remove() });
    await other.git('init', '--quiet', '--object-format=sha256', '../repo/sha256');
    await other.git('-C', 'sha256', 'commit', '--quiet', '--allow-empty', '-m', 'first');
    const server = way === 'file' ? undefined : await serveGit(other.worktree, { protocol: way });
    if (server) started.push(server);
    const remoteUrl = server ? `${server.origin}/sha256/.git` : `${other.worktree}/sha256`;
    expect(await (await verifier()).verifyQueueLanding(question(remoteUrl))).toMatchObject({
      judged: false,
      reason: 'remote_refused',
      cause: expect.stringContaining('SHA-1'),
    });
  });

  it('returns the same answer for a missing repository, a closed port and a private host', async () => {
    const made = await verifier();
    const { origin, close } = await serveRemote();
    const missing = await made.verifyQueueLanding(question(`${origin}/other.git`));
    await close();
    const closed = await made.verifyQueueLanding(question(`${origin}/repo/.git`));
    const closedHosts = await Promise.all(
      ['http://10.0.0.1/r', 'https://169.254.169.254/r', 'https://[fd00::1]/r'].map((url) =>
        made.verifyQueueLanding(question(url)),
      ),
    );
    for (const answer of [missing, closed, ...closedHosts]) {
      expect({ ...answer, cause: '' }).toEqual({
        verified: false,
        judged: false,
        reason: 'remote_unreadable',
        message:
          'Could not be judged: the remote could not be read without credentials. This service reads public ' +
          'addresses, and those that its operator allows.',
        cause: '',
      });
    }
  });

  it.each([
    'git@127.0.0.1:o/r.git',
    'git@[::1]:o/r.git',
    'git@localhost:o/r.git',
    'git@0x7f.1:o/r.git',
    'ssh://git@2130706433:22/o/r.git',
    'ssh://git@[::ffff:10.0.0.1]/o/r.git',
    'user:secret@localhost:o/r.git',
  ])('does not connect to the loopback or private host that %j names', async (remoteUrl) => {
    const closed = await verifier({ ...defaultVerifierConfig });
    expect(await closed.verifyQueueLanding(question(remoteUrl))).toMatchObject({
      judged: false,
      reason: 'remote_unreadable',
      cause: expect.stringMatching(/address.* not allowed$/),
    });
  });

  it('reads over https, and trusts no certificate outside of its configuration', async () => {
    const { origin, certificate } = await serveRemote({ tls: true });
    const asked = question(`${origin}/repo/.git`);
    const trusting = await verifier({ allowHttp: false, certificateAuthorities: [certificate] });
    expect(await trusting.verifyQueueLanding(asked)).toMatchObject({ verified: true });
    expect(await (await verifier()).verifyQueueLanding(asked)).toMatchObject({
      judged: false,
      reason: 'remote_unreadable',
    });
  });

  it('judges a shallow repository by the history that it has', async () => {
    const shallow = await GitRemote.create();
    started.push({ close: () => shallow.remove() });
    await shallow.git('fetch', '--quiet', '--depth=2', remote.fileUrl, 'main:refs/heads/cut');
    const asked = { ...question(shallow.fileUrl), targetBranch: 'cut' };
    const made = await verifier();
    expect(await made.verifyQueueLanding({ ...asked, anchorCommitId: undefined })).toMatchObject({
      verified: true,
    });
    expect(await made.verifyQueueLanding(asked)).toMatchObject({ verified: false });
  });

  it('returns the same answer for a missing directory and for one that is no repository', async () => {
    const made = await verifier();
    const missing = await made.verifyQueueLanding(question('/nonexistent/repo.git'));
    expect(missing).toMatchObject({ judged: false, reason: 'remote_unreadable' });
    expect(await made.verifyQueueLanding(question('/usr'))).toEqual(missing);
  });

  it('reads no local directory and nothing over http by default', async () => {
    const { origin } = await serveRemote();
    const strict = new Verifier(defaultVerifierConfig, { workerFile: await verifierWorkerFile() });
    started.push(strict);
    for (const url of [remote.fileUrl, remote.directory, `${origin}/repo/.git`]) {
      expect(await strict.verifyQueueLanding(question(url))).toMatchObject({
        judged: false,
        reason: 'remote_refused',
      });
    }
  });

  it('stops if the caller aborts', async () => {
    const made = await verifier();
    const stop = new AbortController();
    const answer = made.verifyQueueLanding(question(remote.fileUrl), { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    await expect(made.verifyQueueLanding(question(remote.fileUrl), { signal: stop.signal })).rejects.toThrow(
      'enough',
    );
    expect(await made.verifyQueueLanding(question(remote.fileUrl))).toMatchObject({ verified: true });
  });

  it('stops if the caller aborts while it waits for others', async () => {
    const made = await verifier({ concurrency: { ...embeddedVerifierConfig.concurrency, total: 1 } });
    const stop = new AbortController();
    const first = made.verifyQueueLanding(question(remote.fileUrl));
    const waits = made.verifyQueueLanding(question(remote.fileUrl), { signal: stop.signal });
    expect(made.load).toMatchObject({ running: 1, waiting: 1 });
    stop.abort(new Error('enough'));
    await expect(waits).rejects.toThrow('enough');
    expect(made.load).toMatchObject({ running: 1, waiting: 0 });
    expect(await first).toMatchObject({ verified: true });
  });

  it('rejects a tenant that has too many verifications waiting, and serves the others', async () => {
    const concurrency = {
      ...embeddedVerifierConfig.concurrency,
      total: 2,
      perTenant: 1,
      waitingPerTenant: 1,
    };
    const made = await verifier({ concurrency });
    const asked = question(remote.fileUrl);
    const of = (tenantId: string) => made.verifyQueueLanding(asked, { tenantId });
    const [first, second, third, other] = await Promise.allSettled([
      of('one'),
      of('one'),
      of('one'),
      of('other'),
    ]);
    expect([first, second, other]).toEqual([first, first, first]);
    expect(first).toMatchObject({ value: { verified: true } });
    // The rejection says nothing about the remote.
    expect(third).toMatchObject({ reason: expect.any(VerifierUnavailable) as unknown });
  });

  it('rejects with VerifierUnavailable if its processes are killed', async () => {
    const made = await verifier({});
    const answer = made.verifyQueueLanding(question(remote.fileUrl));
    await Promise.all([expect(answer).rejects.toBeInstanceOf(VerifierUnavailable), made.close()]);
  });

  it('rejects with VerifierUnavailable if the worker program is missing, and reports the cause', async () => {
    const defects: Error[] = [];
    const made = new Verifier(embeddedVerifierConfig, { workerFile: '/nonexistent/verifier-worker.js' });
    const onDefect = (defect: Error) => defects.push(defect);
    await expect(made.verifyQueueLanding(question(remote.fileUrl), { onDefect })).rejects.toBeInstanceOf(
      VerifierUnavailable,
    );
    const missing = expect.objectContaining({
      message: expect.stringContaining('MODULE_NOT_FOUND') as unknown,
    }) as unknown;
    expect(defects).toEqual([missing, missing]);
  });

  it('looks for undone work in bounded time, and returns the reason instead of rejecting', async () => {
    const made = await verifier();
    const commitId = await remote.head();
    const asked = { remoteUrl: remote.fileUrl, commitId, sourceCommitId: commitId, days: 30 };
    expect(await made.findUndoneWork(asked)).toMatchObject({ findings: [], window: { isComplete: true } });
    expect(await made.findUndoneWork({ ...asked, remoteUrl: 'git@' })).toEqual({ unknown: 'remote_refused' });
    const missing = { ...asked, commitId: '0'.repeat(40) };
    expect(await made.findUndoneWork(missing)).toEqual({ unknown: 'remote_unreadable' });
    const hurried = await verifier({ caps: { ...embeddedVerifierConfig.caps, contentMs: 0 } });
    expect(await hurried.findUndoneWork(asked)).toEqual({ unknown: 'out_of_time' });
    const broken = new Verifier(embeddedVerifierConfig, { workerFile: '/nonexistent/verifier-worker.js' });
    expect(await broken.findUndoneWork(asked)).toEqual({ unknown: 'not_computed' });
  });

  it('judges the content of a landing, and returns UNKNOWN instead of rejecting', async () => {
    const made = await verifier();
    const [commitId, defects] = [await remote.head(), [] as Error[]];
    const asked = { remoteUrl: remote.fileUrl, commitId, sourceBranch: 'main', targetBranch: 'main' };
    expect(await made.judgeContent(asked)).toMatchObject({ verdict: 'EXACT', commitId });
    expect(await made.judgeContent({ ...asked, remoteUrl: 'git@' })).toEqual(unknown('remote_refused'));
    const hurried = await verifier({ caps: { ...embeddedVerifierConfig.caps, contentMs: 0 } });
    expect(await hurried.judgeContent(asked)).toEqual(unknown('out_of_time'));
    const broken = new Verifier(embeddedVerifierConfig, { workerFile: '/nonexistent/verifier-worker.js' });
    const onDefect = (defect: Error) => defects.push(defect);
    expect(await broken.judgeContent(asked, { onDefect })).toEqual(unknown('not_computed'));
    expect(defects).toHaveLength(2);
  });

  it('reports how many verifications run and wait', async () => {
    const made = await verifier({});
    const answer = made.verifyQueueLanding(question(remote.fileUrl));
    expect(made.load).toEqual({ running: 1, waiting: 0, silent: 0 });
    await answer;
    expect(made.load).toEqual({ running: 0, waiting: 0, silent: 0 });
  });

  it('answers another tenant while remotes send a byte now and then, because these hold no places', async () => {
    const drips = createServer((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      const dripping = setInterval(() => answer.write('0'), 100);
      answer.on('close', () => clearInterval(dripping));
    });
    await once(drips.listen(0, '127.0.0.1'), 'listening');
    started.push({ close: async () => (drips.closeAllConnections(), void drips.close()) });
    const { port } = drips.address() as AddressInfo;
    const made = await verifier({});
    const hostile = ['one', 'two', 'three'].flatMap((tenantId) =>
      [1, 2].map((number) =>
        made.verifyQueueLanding(question(`http://127.0.0.1:${port}/${number}`), { tenantId }),
      ),
    );
    for (const each of hostile) each.catch(() => undefined);
    const honest = made.verifyQueueLanding(question(remote.fileUrl), { tenantId: 'honest' });
    expect(await Promise.race([honest, ...hostile])).toMatchObject({ verified: true });
    expect(made.load.running + made.load.silent).toBe(hostile.length);
  });
});
