import type { ChildProcess } from 'node:child_process';
import { readFile, watch } from 'node:fs/promises';
import { ForwardStand } from '../../black-box/forward-stand';
import { ended } from '../../black-box/plat-process';

let stand: ForwardStand;
beforeEach(async () => (stand = await ForwardStand.create()));
afterEach(() => stand.dispose());

/** Waits until stdout of a started client has a text. */
function waitForText(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let all = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      all += chunk.toString('utf8');
      if (all.includes(text)) resolve();
    });
    child.once('close', () => reject(new Error(`plat ended without showing ${text}:\n${all}`)));
  });
}

/** Waits until another connection was opened through a forward, which a look does. */
async function waitForLook(log: string): Promise<void> {
  const countOpened = async () => (await readFile(log, 'utf8')).split(' opened ').length;
  const before = await countOpened();
  for await (const _event of watch(log)) if ((await countOpened()) > before) return;
}

describe('plat forwards list --watch', () => {
  it('shows the forwards again when one has changed, and not otherwise, until Ctrl-C', async () => {
    await stand.open();
    const { processId } = await stand.record('sshd');
    const env = { ...stand.variables, PLAT_IDLE_PROBE: 'true' };
    const child = await stand.machine.start(['forwards', 'list', '--watch'], { env });
    const run = ended(child);
    await waitForText(child, 'api\talive');
    await waitForLook(stand.path('mcp', 'log'));
    process.kill(Number(processId), 'SIGKILL');
    await waitForText(child, 'sshd\tended');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await run;
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    const states = lines.map((line) => line.split('\t')[3]);
    const views = lines.flatMap((_line, at) => (at % 3 === 0 ? [states.slice(at, at + 3).join()] : []));
    expect([views[0], views.at(-1)]).toEqual(['alive,alive,alive', 'alive,ended,alive']);
    expect(views.filter((view, at) => view === views[at - 1])).toEqual([]);
  });
});
