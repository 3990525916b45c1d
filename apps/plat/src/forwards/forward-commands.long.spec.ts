import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { spawn } from '@plat/testing';
import { ForwardStand, runs } from '../black-box/forward-stand';

let stand: ForwardStand;
beforeEach(async () => (stand = await ForwardStand.create()));
afterEach(() => stand.dispose());

it('a port-forward to something else is not ended, although the record has its process id. Rule H9', async () => {
  await stand.open();
  const record = await stand.record('mcp');
  const args = [
    '-e',
    'console.log(1); setInterval(() => {}, 1e6)',
    'port-forward',
    'svc/db',
    '5432',
    '-n',
    'other',
  ];
  const other = spawn(process.execPath, args, { argv0: 'kubectl', stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  await writeFile(stand.path('mcp'), JSON.stringify({ ...record, processId: other.pid }));
  await stand.plat('forwards', 'stop', 'acme', 'dev', '--channel', 'mcp');
  expect(await Promise.all([runs(other.pid), runs(record.processId)])).toEqual([true, false]);
  other.kill('SIGKILL');
});

it('plat delete ends a forward whose process id was never recorded, since plat was killed', async () => {
  await stand.open();
  const { processId, ...record } = await stand.record('mcp');
  await writeFile(stand.path('mcp'), JSON.stringify(record));
  await stand.plat('delete', 'acme', 'dev', '--yes');
  expect(await runs(processId)).toBe(false);
});
