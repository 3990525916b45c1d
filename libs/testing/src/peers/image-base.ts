import { chmod, cp, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@plat/local';
import { execFile } from '../starter/child-process';

const run = promisify(execFile);

/** Programs of this machine that the image's build and its pod start. */
const PROGRAMS = ['sh', 'bash', 'env', 'git', 'ps', 'usermod', 'groupmod'];
const COREUTILS = ['rm', 'mkdir', 'chown', 'ln', 'cat', 'id', 'mv', 'printf', 'stat', 'ls', 'test'];
/** Programs that would fetch something. The base has what they would bring. */
const FETCHING = ['apt-get', 'npm'];
const PASSWD =
  'root:x:0:0:root:/root:/bin/bash\nnode:x:1000:1000::/home/node:/bin/bash\nsshd:x:101:65534::/run/sshd:/bin/false\n';

/**
 * Writes the root of a base for the runtime image, from the programs of this machine.
 *
 * @param more paths of programs that the image would install
 */
export async function writeRuntimeBase(root: string, more: readonly string[]): Promise<void> {
  for (const folder of [
    'bin',
    'etc',
    'tmp',
    'root',
    'home/node',
    'usr/local/bin',
    'usr/sbin',
    'run/sshd',
    'dev',
    'proc',
  ]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  await chmod(join(root, 'tmp'), 0o1777);
  const found = await Promise.all([...PROGRAMS, ...COREUTILS].map(locate));
  for (const path of [...found, ...more]) await copyProgram(path, root);
  await copyProgram(process.execPath, root, '/usr/local/bin/node');
  await cp('/usr/lib/git-core', join(root, 'usr/lib/git-core'), { recursive: true, verbatimSymlinks: true });
  await copyLibraries('/usr/lib/git-core/git-remote-http', root);
  // The build loads a compiler that needs more of the system's libraries than node.
  for (const library of await compilerLibraries()) await copyLibraries(library, root);
  for (const name of FETCHING) {
    const path = join(root, 'usr/local/bin', name);
    await writeFile(path, '#!/bin/sh\nexit 0\n');
    await chmod(path, 0o755);
  }
  await writeFile(join(root, 'etc/passwd'), PASSWD);
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\nnogroup:x:65534:\n');
}

/** Writes the root of a base that has what a program of this machine is linked with, and nothing else. */
export async function writeLibrariesOf(root: string, program: string): Promise<void> {
  for (const folder of ['dev', 'proc', 'etc']) await mkdir(join(root, folder), { recursive: true });
  await copyLibraries(program, root);
}

async function compilerLibraries(): Promise<string[]> {
  const folder = join(workspaceRoot(), 'node_modules', '@swc');
  const files = await readdir(folder, { recursive: true });
  return files.filter((file) => file.endsWith('.node')).map((file) => join(folder, file));
}

async function locate(name: string): Promise<string> {
  const { stdout } = await run('/bin/sh', ['-c', `command -v ${name} || true`]);
  const path = stdout.trim();
  return path.startsWith('/') ? path : `/usr/bin/${name}`;
}

async function copyProgram(path: string, root: string, target = path): Promise<void> {
  await copyFile(path, join(root, target));
  if (target.startsWith('/usr/bin/')) await copyFile(path, join(root, target.slice('/usr'.length)));
  await copyLibraries(path, root);
}

/** Copies the shared libraries that the system's linker finds for a program. */
async function copyLibraries(path: string, root: string): Promise<void> {
  const { stdout } = await run('ldd', [path]).catch(() => ({ stdout: '' }));
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library);
  for (const library of libraries) await copyFile(library, join(root, library));
}

async function copyFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(await realpath(from), to, { dereference: true });
}
