import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { GateCheckout, lines } from '../black-box/gate-checkout';
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
    it('sends each step to an agent that asks for progress', async () => {
      const { machine, checkout } = await setUp();
      await checkout.branch('feature/1', { a: 'a\n' });
      const { call } = await over(machine, checkout.folder);
      const received: Progress[] = [];
      const gate = { source: ['feature/1'], targetBranch: 'main', messages: ['One'] };
      await call('exec_gate-merge', gate, { onprogress: (progress) => received.push(progress) });
      expect(received.map(({ message }) => message)).toEqual([
        'Fetching main, feature/1',
        'Merging feature/1',
      ]);
      expect(received.map(({ progress }) => progress)).toEqual([1, 2]);
    });

    it('ends if the agent cancels it, and restores the checkout', async () => {
      const { machine, checkout } = await setUp();
      const source = await waitingMerge(checkout);
      await checkout.git('switch', '--quiet', '--create', 'mine');
      const before = await checkout.git('for-each-ref', 'refs/heads');
      const { call } = await over(machine, checkout.folder);
      const cancel = new AbortController();
      const merging = call(
        'exec_gate-merge',
        { source, targetBranch: 'main', messages: ['One', 'Two'] },
        {
          signal: cancel.signal,
          onprogress: ({ message }) => message === 'Merging feature/2' && cancel.abort('no longer wanted'),
        },
      );
      await expect(merging).rejects.toThrow('no longer wanted');
      // Waits for its turn, which comes after the cancelled call has cleaned up.
      await call('exec_push', { targetBranch: 'main', preview: true });
      expect(await checkout.git('for-each-ref', 'refs/heads')).toBe(before);
      expect(await checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('mine');
      expect(await checkout.git('status', '--porcelain')).toBe('');
    });

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

/** Branches of which the second keeps the checkout waiting. @returns their names */
async function waitingMerge(checkout: GateCheckout): Promise<string[]> {
  await checkout.branch('feature/1', { 'numbers.txt': lines(1, 40, { 2: 'two' }) });
  await checkout.branch('feature/2', { 'waits.md': 'waits\n' });
  // The checkout of the second merge waits for the filter; taking it back removes the file and needs none.
  await checkout.git('config', 'filter.waits.smudge', 'exec sleep 15');
  await writeFile(join(checkout.folder, '.git', 'info', 'attributes'), '*.md filter=waits\n');
  return ['feature/1', 'feature/2'];
}
