import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { type Agent, agentOverHttp, agentOverStdio } from '../black-box/mcp-agent';
import { ended, type Machine, said } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';

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
      // A step that takes seconds is sent again, with how long it takes.
      const steps = received.filter(({ message }) => !/ \(\d+ s\)$/.test(message ?? ''));
      expect(steps.map(({ message }) => message)).toEqual([
        'Fetching main, feature/1',
        'Merging feature/1',
        'Comparing the merge of feature/1 with earlier landings',
      ]);
      expect(received.map(({ progress }) => progress)).toEqual(received.map((_, index) => index + 1));
    });

    it('ends if the agent cancels it, and restores the checkout', async () => {
      const { machine, checkout } = await setUp();
      const source = await makeWaitingMerge(checkout);
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
