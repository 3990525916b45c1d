import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { steps } from './steps.mjs';

/**
 * Runs every step, as many at once as there are processors, and prints each with its duration as it ends.
 * The output of a step is shown only when it failed. With arguments, only the steps that they name run, or all but the one
 * behind `--except`.
 */
export async function main(args) {
  const chosen = chooseSteps(args);
  const waiting = [...chosen];
  const failed = [];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      if (!(await passes(step))) failed.push(step.name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  const ran = chosen.length > 0;
  process.stdout.write(
    failed.length === 0 && ran ? 'check passed\n' : `check failed: ${failed.join(', ') || 'no such step'}\n`,
  );
  process.exitCode = failed.length === 0 && ran ? 0 : 1;
}

function chooseSteps(args) {
  const [first, except] = args;
  if (first === '--except') return steps.filter(({ name }) => name !== except);
  return steps.filter(({ name }) => args.length === 0 || args.includes(name));
}

async function passes({ name, args }) {
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: join(import.meta.dirname, '..', '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NX_DAEMON: 'false', NO_COLOR: '1' },
  });
  const [code, stdout, stderr] = await Promise.all([
    new Promise((resolve, reject) => child.once('error', reject).once('close', resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${seconds.padStart(6)} s\n`);
  if (code !== 0) process.stdout.write(indent(`${stdout}${stderr}`));
  return code === 0;
}

function indent(output) {
  return `${output.trimEnd().replace(/^/gm, '  | ')}\n`;
}
