import { open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { type Channel, CHANNELS } from '@plat/forwards';
import { ForwardStand } from '../black-box/forward-stand';
import type { OpenedChannel } from './reconcile-forward';

const OVERSIZE = 6 * 1024 * 1024;

let stand: ForwardStand;
beforeEach(async () => (stand = await ForwardStand.create()));
afterEach(() => stand.dispose());

/** Opens the forwards, and returns the outcome of each channel. */
async function outcomes(): Promise<string[]> {
  const { channels } = (await stand.open()).json<{ channels: Record<Channel, OpenedChannel> }>();
  return CHANNELS.map((channel) => channels[channel].outcome);
}

/** The files and folders of forwards, below their folder. */
function listKept(): Promise<string[]> {
  return readdir(join(stand.machine.configFolder, 'portforward'), { recursive: true });
}

describe('Log retention and cleanup on `plat open`', () => {
  it('2. the cap is applied again to the log of a live forward that it finds', async () => {
    await stand.open();
    const log = stand.path('mcp', 'log');
    await truncate(log, OVERSIZE);
    expect(await outcomes()).toEqual(['reused', 'reused', 'reused']);
    expect((await stat(`${log}.1`)).size).toBe(OVERSIZE);
  });

  it('2. the cap is applied again to the log of a live forward that it adopts', async () => {
    const log = stand.path('mcp', 'log');
    await stand.write('portforward/mcp/acme/dev.log', '');
    await truncate(log, OVERSIZE);
    await stand.kubectl('mcp', true);
    expect(await outcomes()).toEqual(['adopted', 'started', 'started']);
    expect((await stat(`${log}.1`)).size).toBe(OVERSIZE);
  });

  it('4. records of a tenant or an environment that is not configured are reclaimed, with empty folders, and no others', async () => {
    await stand.write('portforward/mcp/gone/dev.json', '{}');
    await stand.write('portforward/mcp/gone/dev.log', '');
    await stand.write('portforward/mcp/gone/dev.log.1', '');
    await stand.write('portforward/api/acme/test.json', '{}');
    await stand.write('acme/kept/config.yaml', 'type: runtime\n');
    await stand.write('portforward/api/acme/kept.json', '{}');
    await outcomes();
    const left = await listKept();
    expect(left.filter((path) => /gone|test/.test(path))).toEqual([]);
    expect(left).toContain('api/acme/kept.json');
  });

  it('4. nothing is reclaimed but by `plat open`', async () => {
    await stand.write('portforward/mcp/gone/dev.json', '{}');
    for (const command of [['forwards', 'list'], ['forwards', 'stop', 'acme', 'dev'], ['list'], ['doctor']]) {
      await stand.plat(...command);
    }
    expect(await listKept()).toContain('mcp/gone/dev.json');
  });

  it('5. a log that a process still has open is kept, even when no record names it', async () => {
    await stand.write('portforward/mcp/gone/dev.log', '');
    await stand.write('portforward/mcp/gone/other.log', '');
    const held = await open(join(stand.machine.configFolder, 'portforward/mcp/gone/dev.log'));
    await outcomes();
    expect((await listKept()).filter((path) => path.includes('gone'))).toEqual([
      'mcp/gone',
      'mcp/gone/dev.log',
    ]);
    await held.close();
    await outcomes();
    expect((await listKept()).filter((path) => path.includes('gone'))).toEqual([]);
  });

  it('5. nothing is reclaimed if the configuration was never initialized', async () => {
    await rm(join(stand.machine.configFolder, 'config.yaml'));
    await stand.write('portforward/mcp/gone/dev.json', '{}');
    await outcomes();
    expect(await listKept()).toContain('mcp/gone/dev.json');
  });
});
