import { join } from 'node:path';
import { workspaceRoot } from '@plat/local';
import { spawnSync } from '@plat/testing';

it.each([[], ['--changed'], ['--stale']])(
  'a run against the servers of others fails if its words select no test, also with %j',
  (...flags: string[]) => {
    const run = [join(workspaceRoot(), 'tools', 'run.mjs'), 'test:peers', ...flags, 'no/such/file'];
    const { status, stdout, stderr } = spawnSync(process.execPath, run, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '0 passed, 1 failed\n']);
    expect(stderr).toContain('No test matches no/such/file.');
  },
);
