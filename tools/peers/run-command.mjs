import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs a command to its end and returns its output.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<{ok: boolean, stdout: string, output: string}>} `output` is stdout and stderr, for a person
 */
export async function runCommand(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const failure = typeof code === 'number' ? '' : `${code}\n`;
  return { ok: code === 0, stdout, output: `${stdout}${stderr}${failure}` };
}
