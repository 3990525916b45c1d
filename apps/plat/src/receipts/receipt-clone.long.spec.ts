import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { MergeReceipt } from '@plat/api-client';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine, PATH } from '../black-box/plat-process';
import { cloneForReceipt } from './receipt-clone';

describe('the clone for a receipt', () => {
  let machine: Machine;
  let checkout: GateCheckout;
  let receipt: MergeReceipt;
  const own = { ...process.env };
  beforeAll(async () => {
    machine = await Machine.create();
    checkout = await GateCheckout.create(machine);
    receipt = { targetBranch: 'main', sourceBranch: 'main' } as MergeReceipt;
    const bin = join(machine.home, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'git-remote-demo'), `#!/bin/sh\necho the helper ran >&2\nexit 1\n`);
    await chmod(join(bin, 'git-remote-demo'), 0o755);
    Object.assign(process.env, { HOME: machine.home, PATH: `${bin}:${PATH}` });
  });
  afterAll(async () => {
    Object.assign(process.env, own);
    await machine.remove();
  });

  /** Returns git's report when it could not read the remote; undefined if it could. */
  async function refusal(url: string, isGiven = false, bytesMax?: number): Promise<string | undefined> {
    const clone = cloneForReceipt(receipt, { url, isGiven, bytesMax }, new AbortController().signal);
    return clone.then(
      async ({ remove }) => void (await remove()),
      (error: Error) => error.message,
    );
  }

  describe('of a hostile remote', () => {
    let remote: HostileRemote;
    beforeEach(async () => (remote = await HostileRemote.start()));
    afterEach(() => remote.close());

    it('ends if the remote sends messages without an end, and keeps little of them', async () => {
      remote.answer = 'messages without an end';
      const before = process.memoryUsage.rss();
      expect(await refusal(remote.url)).toMatch(/^git fetch .* printed too much on stderr\.$/);
      expect(process.memoryUsage.rss() - before).toBeLessThan(128 * 1024 * 1024);
      await remote.abandoned;
    });

    it('ends if the remote stays silent in the middle of an answer', async () => {
      await checkout.git('config', '--global', `http.${remote.url}.lowSpeedTime`, '1');
      remote.answer = 'silence';
      expect(await refusal(remote.url)).toContain('Operation too slow');
      await remote.abandoned;
    });
  });
});

/** A repository over HTTP that names a branch, and answers a fetch of it in the chosen way. */
class HostileRemote {
  answer: 'messages without an end' | 'silence' = 'silence';
  /** Settles once a fetch has closed its connection. */
  readonly abandoned: Promise<unknown>;

  private constructor(private readonly server: Server) {
    this.abandoned = new Promise((abandoned) => {
      server.on('request', ({ method }, response) => {
        if (method === 'GET') return response.setHeader('content-type', ADVERTISEMENT).end(refsOfMain());
        response.setHeader('content-type', 'application/x-git-upload-pack-result').write(packet('NAK\n'));
        response.once('close', abandoned);
        if (this.answer === 'silence') return undefined;
        const messages = packet(`\u0002${'all is well\n'.repeat(5000)}`);
        const endless = new Readable({ read: () => void endless.push(messages) });
        return endless.pipe(response);
      });
    });
  }

  static async start(): Promise<HostileRemote> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new HostileRemote(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/acme/app`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

const ADVERTISEMENT = 'application/x-git-upload-pack-advertisement';

/** A line of git's protocol. */
const packet = (text: string): string => (text.length + 4).toString(16).padStart(4, '0') + text;

const refsOfMain = (): string =>
  [
    `${packet('# service=git-upload-pack\n')}0000`,
    packet(`${'a'.repeat(40)} refs/heads/main\0side-band-64k\n`),
    '0000',
  ].join('');
