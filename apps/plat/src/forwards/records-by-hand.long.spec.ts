import { lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Channel, CHANNELS } from '@plat/forwards';
import { ForwardStand, runs } from '../black-box/forward-stand';
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
  it('a port of 0, one of 70000, and the names of another tenant', async () => {
    const { pid } = await stand.bystander();
    await place('mcp', JSON.stringify({ ...wanted('mcp'), localPort: 0, processId: pid }));
    await place('sshd', JSON.stringify({ ...wanted('sshd'), localPort: 70_000, processId: pid }));
    await place('api', JSON.stringify({ ...wanted('api'), tenant: 'globex', processId: pid }));
    await expectMended();
    expect(await runs(pid)).toBe(true);
  });

  it('a log that is a link: what it names stays as it is', async () => {
    const outside = join(stand.machine.home, 'outside.log');
    await writeFile(outside, 'mine\n');
    await mkdir(dirname(stand.path('mcp')), { recursive: true });
    await symlink(outside, stand.path('mcp', 'log'));
    await expectMended();
    expect(await readFile(outside, 'utf8')).toBe('mine\n');
  });

  it('a logPath elsewhere is not written to', async () => {
    const outside = join(stand.machine.home, 'elsewhere.log');
    await place('mcp', JSON.stringify({ ...wanted('mcp'), logPath: outside }));
    await expectMended();
    await expect(lstat(outside)).rejects.toThrow('ENOENT');
  });

  it('a folder in its place is replaced', async () => {
    await mkdir(stand.path('mcp'), { recursive: true });
    const run = await stand.open();
    expect(run.code).toBe(0);
    const { mcp } = run.json<{ channels: Record<Channel, OpenedChannel> }>().channels;
    expect(mcp.outcome).toBe('started');
    expect((await lstat(stand.path('mcp'))).isFile()).toBe(true);
  });
});
