import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Channel, CHANNELS } from '@plat/forwards';
import { ForwardStand } from '../black-box/forward-stand';
import type { OpenedChannel } from './reconcile-forward';

let stand: ForwardStand;
beforeEach(async () => (stand = await ForwardStand.create()));
afterEach(() => stand.dispose());

/** Opens, and expects that every channel is started and has a proper record afterwards. */
async function expectMended(): Promise<void> {
  const run = await stand.open();
  expect([run.code, run.stderr]).toEqual([0, '']);
  const { channels } = run.json<{ channels: Record<Channel, OpenedChannel> }>();
  for (const channel of CHANNELS) {
    expect(channels[channel].outcome).toBe('started');
    expect((await lstat(stand.path(channel))).isFile()).toBe(true);
    const { processId } = channels[channel];
    expect(await stand.record(channel)).toMatchObject({ localPort: stand.port(channel), processId });
  }
}

const wanted = (channel: Channel) => ({
  tenant: 'acme',
  environment: 'dev',
  kubernetesContext: 'kind-one',
  namespace: 'acme-dev',
  localPort: stand.port(channel),
});

const place = (channel: Channel, text: string) => stand.write(`portforward/${channel}/acme/dev.json`, text);

describe('a state file that was edited by hand: the next `plat open` mends it, and signals no one', () => {
  it.each<[string, unknown[]]>([
    ['process ids of no one', [1, 0, -1]],
    ['a huge one, a text and a fraction', [2 ** 53, '12', 1.5]],
  ])('%s', async (_what, ids) => {
    for (const [at, channel] of CHANNELS.entries()) {
      await place(channel, JSON.stringify({ ...wanted(channel), processId: ids[at] }));
    }
    await expectMended();
  });

  it('the process id of this very test', async () => {
    await place('mcp', JSON.stringify({ ...wanted('mcp'), processId: process.pid }));
    await expectMended();
  });

  it('a link, an empty file and 10 MB: what the link names stays as it is', async () => {
    const outside = join(stand.machine.home, 'outside.json');
    const text = JSON.stringify({ ...wanted('mcp'), processId: process.pid });
    await writeFile(outside, text);
    await mkdir(dirname(stand.path('mcp')), { recursive: true });
    await symlink(outside, stand.path('mcp'));
    await place('sshd', '');
    await place('api', ' '.repeat(10_000_000));
    await expectMended();
    expect(await readFile(outside, 'utf8')).toBe(text);
  });
});

it('names with .. are refused before anything is read or signalled', async () => {
  for (const command of ['open', 'forwards:stop']) {
    const run = await stand.plat(...command.split(':'), '..', 'dev', '--json');
    expect(run.json()).toMatchObject({ code: 'INVALID_NAME' });
  }
});
