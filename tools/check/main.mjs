import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { steps } from './steps.mjs';

const EXCEPT = '--except';

/**
 * Runs every step, as many at once as there are processors, and prints each with its duration as it ends.
 * The output of a step is shown only when it failed. With arguments, only the steps that they name run; with `--except`
 * before them, all others.
 */
export async function main(args) {
  const isExcept = args[0] === EXCEPT;
  const names = isExcept ? args.slice(1) : args;
  const unknown = names.find((word) => !steps.some(({ name }) => name === word));
  if (unknown !== undefined || (isExcept && names.length === 0)) {
    refuse(unknown);
    return;
  }
  const chosen = steps.filter(({ name }) => args.length === 0 || names.includes(name) !== isExcept);
  const waiting = [...chosen];
  const failed = [];
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      if (!(await passes(step))) failed.push(step.name);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  process.stdout.write(failed.length === 0 ? 'check passed\n' : `check failed: ${failed.join(', ')}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

/** A name that is mistyped would otherwise select nothing, and pass. */
function refuse(unknown = EXCEPT) {
  process.stderr.write(
    `There is no step '${unknown}'. The steps: ${steps.map(({ name }) => name).join(', ')}.\n`,
  );
  process.stdout.write('check failed: no such step\n');
  process.exitCode = 1;
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
