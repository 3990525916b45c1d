import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mutant } from './mutants';
import type { Place } from './places';

/** Milliseconds after which a mutant counts as noticed if its specs have not ended. */
const PATIENCE_MS = 180_000;

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.nx']);

/** A copy of the workspace whose sources may be changed. */
export class MutatedWorkspace {
  private constructor(private readonly folder: string) {}

  static async copyOf(root: string): Promise<MutatedWorkspace> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-mutants-'));
    for (const name of await readdir(root)) {
      if (!LEFT_OUT.has(name)) await cp(join(root, name), join(folder, name), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    return new MutatedWorkspace(folder);
  }

  async sources({ sources }: Place): Promise<string[]> {
    if (sources.endsWith('.ts')) return [sources];
    const names = await readdir(join(this.folder, sources), { recursive: true });
    return names
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .sort()
      .map((name) => join(sources, name));
  }

  read(file: string): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  /** @returns the specs that failed, or undefined if none did */
  async noticedBy({ project, specs }: Place, file: string, mutant: Mutant): Promise<string | undefined> {
    const source = await this.read(file);
    const { start, end, replacement } = mutant;
    await writeFile(join(this.folder, file), source.slice(0, start) + replacement + source.slice(end));
    try {
      for (const spec of specs) if (!(await this.passes(project, spec))) return spec;
      return undefined;
    } finally {
      await writeFile(join(this.folder, file), source);
    }
  }

  async passes(project: string, spec: string): Promise<boolean> {
    const child = spawn(
      process.execPath,
      [
        join(this.folder, 'node_modules/jest/bin/jest.js'),
        ...['--config', `${project}/jest.config.js`, '--testPathPatterns', spec],
        ...['--bail', '--forceExit', '--maxWorkers', '1'],
      ],
      { cwd: this.folder, stdio: 'ignore', detached: true },
    );
    const late = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), PATIENCE_MS);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(late);
    return code === 0;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
