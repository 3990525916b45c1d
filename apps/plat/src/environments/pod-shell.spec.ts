import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@plat/testing';
import { openCluster } from '../cluster/cluster';
import type { Environment } from '../environment';
import { shellArgv } from './pod-shell';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-shell-'));
  await writeFile(join(folder, 'rc'), 'echo read-rc\n');
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs the command of the pod here, with `pwd` as the input of its shell. */
async function runShell(variables: Record<string, string>, pod: Record<string, string>) {
  const cluster = openCluster({ context: 'kind-one', namespace: 'acme-dev' }, new AbortController().signal);
  const argv = shellArgv({ cluster, names: { release: 'acme-runtime' } as never }, {
    variables,
  } as unknown as Environment);
  const [program = '', ...args] = argv.slice(argv.indexOf('--') + 1);
  const env = { PATH: '/usr/bin:/bin', HOME: folder, ENV: join(folder, 'rc'), ...pod };
  const child = spawn(program, args, { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  }
  // A shell may end without reading its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end('pwd\nexit 3\n');
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, output };
}

it('Spec: Client, Variables read by the client, PLAT_LOCAL_SHELL_OVERRIDE', async () => {
  const { code, output } = await runShell({ PLAT_LOCAL_SHELL_OVERRIDE: '1' }, { PS1: 'own> ' });
  expect(code).toBe(0);
  expect(output).toContain(folder);
  expect(output).toMatch(/^\$ /m);
  expect(output).not.toMatch(/read-rc|own>/);
});

it("the shell is the person's own, in the checkout, and its exit code is no failure", async () => {
  const shell = join(folder, 'shell');
  await writeFile(shell, '#!/bin/sh\necho "own $1 in $PWD"; exit 3\n', { mode: 0o755 });
  const { code, output } = await runShell({}, { SHELL: shell, PLAT_REPO_PATH: tmpdir() });
  expect({ code, output }).toEqual({ code: 0, output: `own -l in ${tmpdir()}\n` });
});
