import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';

/**
 * Lets this process start peers by `@plat/testing`, outside `npm run test:peers`.
 *
 * @param names as in tools/peers/table.mjs
 * @throws Error that says what is missing and how a person gets it
 */
export async function usePeers(...names: string[]): Promise<void> {
  const program = join(workspaceRoot(), 'tools', 'peers', 'paths.mjs');
  process.env.PLAT_PEERS = (await promisify(execFile)(process.execPath, [program, ...names])).stdout;
}
