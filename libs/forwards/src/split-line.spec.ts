import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@plat/testing';
import { forwardArgs, isForward, matchesForward } from './forward-argv';
import { argvByPs } from './running-process';
import { argvOfLine } from './split-line';

/** Characters of the arguments of a process; macOS passes up to a million. */
const LENGTH = 200_000;
const TARGET = { namespace: 'acme-dev1', service: 'acme-mcp', localPort: 17_000, port: 17_000 };
const STATE = '/Users/ann b/Library/Application Support/plat/portforward/mcp/acme/dev1.json';
const START = { ...TARGET, context: 'my context', state: STATE };

describe('the argv of a process that the system shows as one line', () => {
  it.each([
    ['/usr/local/bin/node', [], '/opt/plat/portforward.js'],
    ['/Users/ann b/.nvm/node', [], '/Users/ann b/My Apps/plat/portforward.js'],
    ['/Users/ann b/.nvm/node', ['--inspect', '--max-old-space-size=64'], '/opt/plat/portforward.js'],
  ])('is whole for the daemon: %s %j %s. Rule H9', (node, flags, program) => {
    const argv = [node, ...flags, program, ...forwardArgs(START)];
    expect(argvOfLine(argv.join(' '), node)).toEqual(argv);
    expect(matchesForward(argvOfLine(argv.join(' '), node), TARGET)).toBe(true);
  });

  it('is split at blanks for another process, whose program is whole', () => {
    const kubectl = '/Users/ann b/bin/kubectl';
    const line = `${kubectl} port-forward svc/acme-mcp 17000 -n acme-dev1`;
    expect(argvOfLine(line, kubectl)[0]).toBe(kubectl);
    expect(matchesForward(argvOfLine(line, kubectl), TARGET)).toBe(true);
    expect(argvOfLine('kubectl port-forward  a', '/usr/bin/kubectl')).toEqual([
      'kubectl',
      'port-forward',
      'a',
    ]);
    expect(argvOfLine('', '')).toEqual(['']);
  });

  it.each([
    ['/bin/ssh', `/bin/ssh host /opt/plat/portforward.js ${forwardArgs(START).join(' ')}`],
    ['/bin/ssh', '/bin/ssh host /usr/bin/kubectl port-forward svc/acme-mcp 17000 -n acme-dev1'],
    ['/usr/bin/vim', '/usr/bin/vim /opt/node /opt/plat/portforward.js forward --namespace acme-dev1'],
    ['/usr/bin/node', `/usr/bin/node -e x /opt/plat/portforward.js ${forwardArgs(START).join(' ')}`],
    ['/usr/bin/node', `/usr/bin/node /opt/other.js /opt/plat/portforward.js ${forwardArgs(START).join(' ')}`],
  ])('makes no forward of another process: %s %s', (program, line) => {
    expect(isForward(argvOfLine(line, program))).toBe(false);
  });

  it.each([
    ['blanks in a value', `/p/portforward.js forward --state ${' '.repeat(LENGTH)}x`],
    ['blanks before the program', `${' '.repeat(LENGTH)}x`],
    ['folders', `${' /a'.repeat(LENGTH / 3)} x`],
    ['programs', ' /portforward.js forward'.repeat(LENGTH / 24)],
  ])('is read at once if it is as long as a system allows: %s', (_what, rest) => {
    const { user } = process.cpuUsage();
    argvOfLine(`node ${rest}`, 'node');
    expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
  });
});

it('the daemon is recognized by what ps prints, with blanks in its paths. Rule H9', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat split-'));
  const [bin, node] = [join(folder, 'my bin'), join(folder, 'my bin', 'node')];
  const program = join(bin, 'portforward.js');
  await mkdir(bin);
  await symlink(process.execPath, node);
  await writeFile(program, 'console.log(1); setInterval(() => {}, 1e6)');
  const args = [program, ...forwardArgs(START)];
  // A system without ps -o args of the whole path shows the name alone, as Debian does; so the name is that of node.
  const child = spawn(node, args, { argv0: 'node', stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  expect(matchesForward((await argvByPs(child.pid ?? 0)) ?? [], TARGET)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await argvByPs(child.pid ?? 0)).toBeUndefined();
  await rm(folder, { recursive: true });
});
