import { accessSync, constants, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '@plat/embedded';
import { endProcesses, processesOf, segmentsOf, waitForProcessesOf } from './left-processes.mjs';

/** Without it PostgreSQL takes memory that has no name. */
function hasSharedMemory(): boolean {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

it('processes of a killed run leave no shared memory of their PostgreSQL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-left-'));
  try {
    const { pid, exited } = await startCluster({ dataDir: join(folder, 'postgres'), durable: true });
    const segments = segmentsOf(pid);
    expect(segments.length > 0).toBe(hasSharedMemory());
    endProcesses(processesOf(folder));
    await exited;
    expect(await waitForProcessesOf(folder)).toEqual([]);
    expect(segments.filter((segment) => existsSync(segment))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
