import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { type Agent, agentOverHttp, agentOverStdio } from '../black-box/mcp-agent';
import { ended, type Machine, said } from '../black-box/plat-process';
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
    it('of which a step lasts sends progress every few seconds, so that a short limit of the agent is no end', async () => {
      const { machine, platform, checkout } = await setUp();
      let status = 'READY';
      platform.answer(`GET /v1/reviews/${ID}`, () => ({ body: { name: 'n', status } }));
      const { call } = await over(machine, checkout.folder);
      const received: string[] = [];
      const waiting = call(
        'review_wait',
        { reviewId: ID },
        {
          // Less than the wait takes: without progress the call would end here.
          timeout: 7000,
          resetTimeoutOnProgress: true,
          onprogress: ({ message = '' }) => {
            received.push(message);
            // The second repetition comes after 8 s.
            if (received.length === 3) status = 'MERGED';
          },
        },
      );
      expect(await waiting).toMatchObject({ isError: false, value: { status: 'MERGED' } });
      expect(received.slice(0, 3)).toEqual([
        'Waiting for MERGED',
        expect.stringMatching(/^Waiting for MERGED … \([4-9] s\)$/),
        expect.stringMatching(/^Waiting for MERGED … \(\d+ s\)$/),
      ]);
    });

    it('that waits for its turn sends progress too', async () => {
      const { machine, checkout } = await setUp();
      const first = new AbortController();
      const { call } = await over(machine, checkout.folder);
      const source = await makeWaitingMerge(checkout);
      const merging = call(
        'exec_gate-merge',
        { source, targetBranch: 'main', messages: ['One', 'Two'] },
        { signal: first.signal },
      );
      const message = await new Promise((resolve) => {
        const onprogress = ({ message: line }: Progress) => resolve(line);
        disposals.push(() => pushing);
        const pushing = call('exec_push', { targetBranch: 'main', preview: true }, { onprogress });
      });
      expect(message).toMatch(/^Waiting until no other tool works in the checkout … \(\d+ s\)$/);
      first.abort('no longer wanted');
      await expect(merging).rejects.toThrow('no longer wanted');
    });
  });
});

/** Branches of which the second keeps the checkout waiting. @returns their names */
async function makeWaitingMerge(checkout: GateCheckout): Promise<string[]> {
  await checkout.branch('feature/1', { 'numbers.txt': lines(1, 40, { 2: 'two' }) });
  await checkout.branch('feature/2', { 'waits.md': 'waits\n' });
  // The checkout of the second merge waits for the filter; taking it back removes the file and needs none.
  await checkout.git('config', 'filter.waits.smudge', 'exec sleep 15');
  await writeFile(join(checkout.folder, '.git', 'info', 'attributes'), '*.md filter=waits\n');
  return ['feature/1', 'feature/2'];
}
