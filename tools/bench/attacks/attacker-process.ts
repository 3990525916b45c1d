import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../part';
import type { AttackOrder, AttackTally } from './order';

/**
 * Starts an attacker in a process of its own, and waits until it attacks.
 * @returns a function that stops the attacker and returns what it saw
 */
export async function startAttacker(order: AttackOrder): Promise<() => Promise<AttackTally>> {
  const entry = [join(root, 'tools/build/run-ts.mjs'), 'tools/bench/attacks/attacker/main.ts'];
  const child = spawn(process.execPath, entry, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'close');
  child.stdin.end(JSON.stringify(order));
  await Promise.race([once(child.stdout, 'data'), ended]);
  return async () => {
    child.kill('SIGTERM');
    await ended;
    if (said.trim() === '') throw new Error('The attacker ended before it was stopped.');
    return JSON.parse(said) as AttackTally;
  };
}
