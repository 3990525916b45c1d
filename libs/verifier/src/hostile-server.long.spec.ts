import {
  advertise,
  type Answerer,
  copyInstruction,
  craftDelta,
  type CraftedEntry,
  craftPack,
  GitRemote,
  type GitScript,
  line,
  objectId,
  scriptedGitServer,
  sendPack,
  sideBand,
  verifierWorkerFile,
} from '@plat/testing';
import { embeddedVerifierConfig, type VerifierConfig } from './config';
import { Verifier } from './verifier';
import { VerifierUnavailable } from './worker/unavailable';

const TIP = 'a'.repeat(40);
const COMMIT = 'c'.repeat(40);
const MIB = 1024 * 1024;

/** Long times for a slow machine, and small caps for answers. */
const config: VerifierConfig = {
  ...embeddedVerifierConfig,
  caps: { ...embeddedVerifierConfig.caps, downloadBytes: 8 * MIB, inflatedBytes: 40 * MIB },
};
const hasty: VerifierConfig = { ...config, caps: { ...config.caps, idleMs: 400, totalMs: 1_200 } };

const never: Answerer = (response) => void response.flushHeaders();
const text =
  (body: string | Buffer): Answerer =>
  (response) =>
    response.end(body);
/** An answer that goes on until the reader stops. */
const endless =
  (start: string | Buffer, more: Buffer): Answerer =>
  (response) => {
    response.write(start);
    const flood = () => {
      while (!response.destroyed && response.write(more));
      response.once('drain', flood);
    };
    flood();
  };
/** Sends a line of 65,535 bytes, one byte at a time. */
const drip: Answerer = (response) => {
  const timer = setInterval(() => response.write('f'), 100);
  response.on('close', () => clearInterval(timer));
};
const PACKFILE = line('acknowledgments\n') + line('ready\n') + '0001' + line('packfile\n');

/** Header and first bytes of a pack whose object is allowed, but exceeds the cap on received bytes. */
const BEGUN = craftPack([{ type: 'blob', content: 'x', declaredSize: 15 * MIB }]).subarray(0, -20);

function deltaBomb(): Buffer {
  const base = Buffer.alloc(0xffffff);
  const delta = craftDelta(base.length, base.length, copyInstruction(0, base.length));
  const entry: CraftedEntry = { type: 'id-delta', baseId: objectId('blob', base), delta };
  return craftPack([{ type: 'blob', content: base }, ...Array.from({ length: 400 }, () => entry)]);
}

const zeros: CraftedEntry = { type: 'blob', content: Buffer.alloc(15 * MIB) };

const slow: [name: string, script: GitScript][] = [
  ['never answers', { discovery: never }],
  ['drips', { discovery: drip }],
  ['hangs before the pack', { fetch: never }],
  [
    'hangs in the middle of the pack',
    { fetch: (response) => void response.write(PACKFILE + '00ff\u0001PACK') },
  ],
  ['drips the pack', { fetch: drip }],
];

const scripts: [name: string, reason: string, script: GitScript][] = [
  ['answers with a web page', 'remote_unreadable', { discovery: text('<html>sign in\u001b[2J</html>') }],
  ['answers with garbage', 'remote_unreadable', { discovery: text(Buffer.alloc(5_000, 0xff)) }],
  ['answers with nothing', 'remote_unreadable', { discovery: text('') }],
  ['is a dumb http server', 'remote_unreadable', { discovery: text(`${TIP}\trefs/heads/main\n`) }],
  ['cuts its capabilities', 'remote_unreadable', { discovery: text('000eversion 2\n0fff') }],
  [
    'has no fetch',
    'remote_unreadable',
    { discovery: text(`${line('version 2\n')}${line('ls-refs\n')}0000`) },
  ],
  [
    'floods capabilities',
    'remote_too_large',
    { discovery: endless(line('version 2\n'), Buffer.from(line(`x=${'y'.repeat(900)}\n`))) },
  ],
  [
    'lists a million refs over protocol v0',
    'remote_too_large',
    {
      discovery: endless(
        `${line('# service=git-upload-pack\n')}0000${line(`${TIP} HEAD\0side-band-64k\n`)}`,
        Buffer.from(line(`${TIP} refs/heads/b\n`).repeat(1_000)),
      ),
    },
  ],
  [
    'lists a million refs',
    'remote_too_large',
    { tips: endless('', Buffer.from(line(`${TIP} refs/heads/main-2\n`).repeat(1_000))) },
  ],
  [
    'has a ref without an id',
    'remote_unreadable',
    { tips: text(line('../../../etc refs/heads/main\n') + '0000') },
  ],
  ['cuts its refs', 'remote_unreadable', { tips: text(line(`${TIP} refs/heads/other\n`)) }],
  ['sends a malformed line', 'remote_unreadable', { tips: text('zzzz') }],
  ['sends a line shorter than its length', 'remote_unreadable', { tips: text('0003') }],
  [
    'sends a pack without end',
    'remote_too_large',
    {
      fetch: endless(
        Buffer.concat([Buffer.from(PACKFILE), sideBand(1, BEGUN)]),
        sideBand(1, Buffer.alloc(60_000)),
      ),
    },
  ],
  [
    'sends garbage for a pack without end',
    'remote_unreadable',
    { fetch: endless(PACKFILE, sideBand(1, Buffer.alloc(60_000))) },
  ],
  [
    'sends progress without end',
    'remote_too_large',
    { fetch: endless(PACKFILE, sideBand(2, Buffer.from('\u001b[31mhacked\n'.repeat(500)))) },
  ],
  [
    'acknowledges without end',
    'remote_too_large',
    { fetch: endless(line('acknowledgments\n'), Buffer.from(line('NAK\n').repeat(1_000))) },
  ],
  ['reports an error', 'remote_unreadable', { fetch: text(line('ERR \u001b]0;gone\u0007')) }],
  [
    'reports an error in the pack',
    'remote_unreadable',
    { fetch: text(Buffer.concat([Buffer.from(PACKFILE), sideBand(3, Buffer.from('fatal'))])) },
  ],
  ['sends an unknown section', 'remote_unreadable', { fetch: text(line('surprise\n') + '0000') }],
  [
    'sends a truncated pack',
    'remote_unreadable',
    { fetch: sendPack(craftPack([{ type: 'blob', content: 'a' }]).subarray(0, 30)) },
  ],
  ['ends without the last flush', 'remote_unreadable', { fetch: text(PACKFILE) }],
  [
    'sends a pack with a wrong checksum',
    'remote_unreadable',
    { fetch: sendPack(craftPack([], { checksum: Buffer.alloc(20) })) },
  ],
  [
    'sends a pack bomb',
    'remote_too_large',
    {
      fetch: sendPack(craftPack([zeros, zeros, zeros])),
    },
  ],
  ['sends a delta bomb', 'remote_too_large', { fetch: sendPack(deltaBomb()) }],
  [
    'declares 2^32-1 objects',
    'remote_too_large',
    { fetch: sendPack(craftPack([], { declaredCount: 0xffffffff })) },
  ],
  [
    'sends a delta with offset 0',
    'remote_unreadable',
    { fetch: sendPack(craftPack([{ type: 'offset-delta', back: 0, delta: craftDelta(1, 1) }])) },
  ],
  [
    'sends deltas without their bases',
    'remote_unreadable',
    {
      fetch: sendPack(
        craftPack([TIP, COMMIT].map((baseId) => ({ type: 'id-delta', baseId, delta: craftDelta(1, 1) }))),
      ),
    },
  ],
  [
    'sends a commit with a path for a parent',
    'remote_unreadable',
    {
      fetch: sendPack(craftPack([{ type: 'commit', content: `tree ${TIP}\nparent ../../x\nauthor` }])),
    },
  ],
];

describe('a hostile server', () => {
  let verifier: Verifier;
  let hastyVerifier: Verifier;
  const servers: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    const workerFile = await verifierWorkerFile();
    verifier = new Verifier(config, { workerFile });
    hastyVerifier = new Verifier(hasty, { workerFile });
  });
  afterAll(() => Promise.all([verifier.close(), hastyVerifier.close()]));
  afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.close()))));

  async function ask(script: GitScript, asked = verifier) {
    const server = await scriptedGitServer(script);
    servers.push(server);
    return asked.verifyQueueLanding({
      remoteUrl: `${server.origin}/o/r.git`,
      targetBranch: 'main',
      commitId: COMMIT,
    });
  }

  it.each(scripts)('that %s is not judged: %s', async (_, reason, script) => {
    const before = process.memoryUsage().rss;
    const answer = await ask(script);
    expect(answer).toMatchObject({ verified: false, judged: false, reason });
    expect(JSON.stringify(answer)).not.toMatch(/\\u001b|hacked|sign in/);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * MIB);
  });

  it.each(slow)('that %s is not judged, and its verification ends when its time is up', async (_, script) => {
    expect(await ask(script, hastyVerifier)).toMatchObject({
      judged: false,
      reason: 'remote_unreadable',
      cause: expect.stringMatching(
        /^(no answer in time|silent in the middle of an answer|verification took too long)$/,
      ),
    });
  });

  it('that only claims to know the commit proves nothing', async () => {
    const acknowledged = line('acknowledgments\n') + line(`ACK ${COMMIT}\n`);
    const emptyPack = Buffer.concat([
      Buffer.from(`${acknowledged}${line('ready\n')}0001${line('packfile\n')}`),
      sideBand(1, craftPack([])),
      Buffer.from('0000'),
    ]);
    const unrelated = craftPack([
      { type: 'commit', content: `tree ${TIP}\nparent ${COMMIT}\nauthor A <a@b> 1 +0000\n\n` },
    ]);
    for (const fetch of [text(emptyPack), sendPack(unrelated)]) {
      expect(await ask({ fetch })).toMatchObject({
        verified: false,
        reason: 'commit_not_on_target',
        judged: true,
      });
    }
  });

  it('that claims another content under the id of the tip proves nothing', async () => {
    const content = `tree ${TIP}\nparent ${COMMIT}\nauthor A <a@b> 1 +0000\n\n`;
    const pack = sendPack(craftPack([{ type: 'commit', content }]));
    expect(await ask({ fetch: pack, tip: objectId('commit', content) })).toMatchObject({ verified: true });
    expect(await ask({ fetch: pack, tip: TIP })).toMatchObject({
      verified: false,
      reason: 'commit_not_on_target',
    });
  });

  it('that has other object ids is refused', async () => {
    const discovery = text(
      ['version 2\n', 'fetch=filter\n', 'object-format=sha256\n'].map(line).join('') + '0000',
    );
    expect(await ask({ discovery })).toMatchObject({ judged: false, reason: 'remote_refused' });
  });

  it('that redirects to a private host or port is not followed', async () => {
    const other = await scriptedGitServer({});
    servers.push(other);
    for (const location of [
      `${other.origin}/o/r.git/info/refs?service=git-upload-pack`,
      'http://10.0.0.1/',
      'https://169.254.169.254/',
    ]) {
      const discovery: Answerer = (response) => response.writeHead(302, { location }).end();
      expect(await ask({ discovery })).toMatchObject({ judged: false, reason: 'remote_unreadable' });
    }
    expect(other.requests).toEqual([]);
  });

  it('that redirects to another of its paths is followed, if a repository is there', async () => {
    const discovery =
      (target: string): Answerer =>
      (response, request) => {
        if (request.url?.startsWith('/o/r.git/')) response.writeHead(301, { location: target }).end();
        else advertise(response);
      };
    const moved = await scriptedGitServer({
      discovery: discovery('/moved.git/info/refs?service=git-upload-pack'),
      tip: COMMIT,
    });
    const lost = await scriptedGitServer({ discovery: discovery('/elsewhere'), tip: COMMIT });
    servers.push(moved, lost);
    const asked = { targetBranch: 'main', commitId: COMMIT };
    expect(
      await verifier.verifyQueueLanding({ remoteUrl: `${moved.origin}/o/r.git`, ...asked }),
    ).toMatchObject({ verified: true });
    expect(moved.requests.at(-1)).toBe('POST /moved.git/git-upload-pack');
    expect(
      await verifier.verifyQueueLanding({ remoteUrl: `${lost.origin}/o/r.git`, ...asked }),
    ).toMatchObject({ judged: false });
  });

  it("does not hold up another tenant's verification", async () => {
    const remote = await GitRemote.create();
    const commitId = await remote.commit();
    const own = new Verifier(config, { workerFile: await verifierWorkerFile() });
    const slow = Array.from({ length: 6 }, async () => {
      const server = await scriptedGitServer({ fetch: never });
      servers.push(server);
      const asked = { remoteUrl: `${server.origin}/o/r.git`, targetBranch: 'main', commitId: COMMIT };
      return own.verifyQueueLanding(asked, { tenantId: 'slow' });
    });
    let finished = 0;
    const ends = slow.map((each) => each.catch((error: unknown) => error));
    for (const each of ends) void each.then(() => (finished += 1));
    const answer = await own.verifyQueueLanding(
      { remoteUrl: remote.fileUrl, targetBranch: 'main', commitId },
      { tenantId: 'quick' },
    );
    expect(answer).toMatchObject({ verified: true });
    expect(finished).toBe(0);
    await own.close();
    for (const each of ends) expect(await each).toBeInstanceOf(VerifierUnavailable);
    await remote.remove();
  });
});
