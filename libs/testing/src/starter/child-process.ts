import * as node from 'node:child_process';
import { promisify } from 'node:util';
import { testEnvironment } from './test-environment';

/**
 * The functions of node:child_process, for tests: a process whose options name no environment gets that of the run, which
 * has nothing of the person who runs the test. Lint refuses those of Node itself in a test (`plat/test-processes`).
 */
export const spawn = inRun(node.spawn);
export const spawnSync = inRun(node.spawnSync);
export const execFileSync = inRun(node.execFileSync);
export const fork = inRun(node.fork);
export const execFile = Object.assign(inRun(node.execFile), {
  [promisify.custom]: inRun(promisify(node.execFile)),
});

function inRun<Start>(start: Start): Start {
  const call = start as (program: unknown, ...rest: unknown[]) => unknown;
  return ((program: unknown, ...rest: unknown[]) => call(program, ...withEnvironment(rest))) as Start;
}

/** The arguments behind the program: a list, options and a callback, each of which may be absent. */
function withEnvironment(rest: readonly unknown[]): unknown[] {
  const [list, ...others] = Array.isArray(rest[0]) ? rest : [[], ...rest];
  const [given, ...callback] = typeof others[0] === 'function' ? [{}, ...others] : others;
  const options = (given ?? {}) as { env?: NodeJS.ProcessEnv };
  return [list, { ...options, env: options.env ?? testEnvironment() }, ...callback];
}
