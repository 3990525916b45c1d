import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { GateCheckout } from '../black-box/gate-checkout';
import { type Agent, agentOverHttp, agentOverStdio } from '../black-box/mcp-agent';
import { ended, type Machine, said } from '../black-box/plat-process';
import { serveReceipt } from '../black-box/served-receipt';
import { signedInMachine } from '../black-box/signed-in';

const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';

describe('a long call of a tool', () => {
  const disposals: Array<() => Promise<unknown>> = [];
  afterAll(async () => {
    for (const dispose of disposals.reverse()) await dispose();
  });

  async function setUp() {
    const { machine, platform, dispose } = await signedInMachine();
    disposals.push(dispose);
    const checkout = await GateCheckout.create(machine);
    return { machine, platform, checkout };
  }

  async function overStdio(machine: Machine, cwd: string): Promise<Agent> {
    const agent = await agentOverStdio(machine, { cwd });
    disposals.push(() => agent.client.close());
    return agent;
  }

  async function overHttp(machine: Machine, cwd: string): Promise<Agent> {
    const server = await machine.start(['mcp', '--port', '0'], { cwd });
    const end = ended(server);
    disposals.push(() => {
      server.kill('SIGTERM');
      return end;
    });
    const [, url = ''] = await said(server, /Serving tools on (\S+)\n/);
    const agent = await agentOverHttp(machine, url);
    disposals.push(() => agent.client.close());
    return agent;
  }

  describe.each([
    ['stdio', overStdio],
    ['streamable HTTP', overHttp],
  ])('over %s', (_transport, over) => {
    it('that reads a repository ends if it is cancelled', async () => {
      const { machine, platform, checkout } = await setUp();
      const ends: Array<Promise<unknown>> = [];
      const silent = createServer((socket) => {
        socket.on('error', () => undefined).resume();
        ends.push(once(socket, 'close'));
      });
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      disposals.push(() => new Promise((resolve) => silent.close(resolve)));
      const { port } = silent.address() as AddressInfo;
      const remoteUrl = `http://127.0.0.1:${port}/app.git`;
      const landing = { reviewId: ID, targetBranch: 'main', sourceBranch: 's', targetTip: 'a'.repeat(40) };
      await serveReceipt(platform, { ...landing, remoteUrl });
      const { call } = await over(machine, checkout.folder);
      const cancel = new AbortController();
      silent.once('connection', () => cancel.abort('no longer wanted'));
      const verifying = call(
        'review_verify',
        { reviewId: ID, repository: remoteUrl },
        { signal: cancel.signal },
      );
      await expect(verifying).rejects.toThrow('no longer wanted');
      // Waits for its turn, which comes after the cancelled call has cleaned up.
      expect(await call('exec_job_list', {})).toMatchObject({ isError: false });
      // The processes that git had started for the transfer have ended too.
      expect(ends).not.toEqual([]);
      await Promise.all(ends);
    });

    it('that waits for a status ends if it is cancelled', async () => {
      const { machine, platform, checkout } = await setUp();
      const cancel = new AbortController();
      let asked = 0;
      platform.answer(`GET /v1/reviews/${ID}`, () => {
        asked += 1;
        if (asked === 2) cancel.abort('enough');
        return { body: { name: 'n', status: 'READY' } };
      });
      const { call } = await over(machine, checkout.folder);
      const waiting = call('review_wait', { reviewId: ID }, { signal: cancel.signal });
      await expect(waiting).rejects.toThrow('enough');
      expect(await call('review_show', { reviewId: ID })).toMatchObject({ isError: false });
    });
  });
});
