/**
 * Types the commands of the README's first hour with each supported Node, as a new contributor does: in a fresh clone of
 * the last commit, with an empty home and no variable of this session. Prints for each what the runner closed with.
 *
 * `--only 24` takes one Node, `--commands "npm run demo"` other commands.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { workspaceRoot } from '../../build/bundle.mjs';
import { runCommand } from '../../peers/run-command.mjs';

/** The majors with long-term support, and the newest. npm brings each. */
const MAJORS = ['20', '22', '24', '26'];
const COMMANDS = 'npm run demo,npm test';
const SHOWN_LINES = 40;
/** The variables by which a machine reaches its registry. */
const MACHINE = /^(?:https?_proxy|no_proxy|npm_config_(?:registry|cafile)|NODE_EXTRA_CA_CERTS)$/i;

const { values } = parseArgs({ options: { only: { type: 'string' }, commands: { type: 'string' } } });
const folder = await mkdtemp(join(tmpdir(), 'plat-nodes-'));
// A test runs this Node as another user.
await chmod(folder, 0o755);
const failed = [];
for (const major of values.only === undefined ? MAJORS : [values.only]) {
  const place = join(folder, major);
  await mkdir(join(place, 'home'), { recursive: true });
  const bin = await installNode(major, place);
  const clone = join(place, 'plat');
  await expectDone(await runCommand('git', ['clone', '--quiet', workspaceRoot, clone]), 'git clone');
  for (const command of (values.commands ?? COMMANDS).split(',')) {
    const log = join(folder, `node-${major}-${command.replaceAll(/\W+/g, '-')}.log`);
    const code = await type(command, { place, clone, bin, log });
    const text = (await readFile(log, 'utf8')).replaceAll(/^npm notice.*\n/gm, '');
    const lines = text.trimEnd().split('\n');
    process.stdout.write(`Node ${major}: ${command}: exit code ${code}; ${lines.at(-1)}\n`);
    if (code === 0) continue;
    failed.push(`${command} with Node ${major}`);
    process.stdout.write(`${lines.slice(-SHOWN_LINES).join('\n')}\n`);
  }
  await rm(place, { recursive: true, force: true });
}
if (failed.length === 0) await rm(folder, { recursive: true });
else process.stderr.write(`${failed.join(', ')} failed; the output is in ${folder}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** @returns the folder that has this Node and the npm of this machine */
async function installNode(major, place) {
  const system = { darwin: 'darwin', linux: 'linux' }[process.platform];
  const name = `node-${system}-${process.arch}`;
  const packed = await runCommand('npm', ['pack', '--silent', `${name}@${major}`], { cwd: place });
  expectDone(packed, `npm pack ${name}@${major}`);
  const archive = (await readdir(place)).filter((file) => file.startsWith(`${name}-${major}.`)).at(-1);
  expectDone(await runCommand('tar', ['-xzf', archive], { cwd: place }), 'tar');
  await rename(join(place, 'package'), join(place, 'node'));
  return join(place, 'node', 'bin');
}

function expectDone({ ok, output }, what) {
  if (!ok) throw new Error(`${what} failed:\n${output}`);
}

/** @returns the exit code, or the signal */
async function type(command, { place, clone, bin, log }) {
  const [program, ...args] = command.split(' ');
  const env = {
    PATH: [bin, process.env.PATH].join(delimiter),
    HOME: join(place, 'home'),
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => MACHINE.test(name))),
  };
  const output = createWriteStream(log);
  await once(output, 'open');
  const child = spawn(program, args, { cwd: clone, env, stdio: ['ignore', output, output] });
  const [code, signal] = await once(child, 'exit');
  output.end();
  return code ?? signal;
}
