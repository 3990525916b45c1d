import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Person } from './person';

const FILES_A_FOLDER = 100;
const CHANGES_A_SOURCE = 5;
/** Puts the checkout back, and removes what an earlier gate fetched. */
const RESET = `git checkout --quiet -B main origin/main
git for-each-ref --format='delete %(refname)' refs/plat | git update-ref --stdin`;

export interface RepositorySize {
  files: number;
  sources: number;
}

/** A checkout of a bare repository next to it, with branches that merge without conflict. */
export class LargeRepository {
  private constructor(
    private readonly person: Person,
    private readonly sources: readonly string[],
  ) {}

  static async create(person: Person, { files, sources }: RepositorySize): Promise<LargeRepository> {
    const names = Array.from({ length: sources }, (_, at) => `feature/${at + 1}-part`);
    const repository = new LargeRepository(person, names);
    await mkdir(repository.checkout);
    await repository.run('git init --quiet --bare ../origin.git && git clone --quiet ../origin.git . 2>&1');
    const paths = Array.from({ length: files }, (_, at) => pathOf(at));
    await repository.commit('main', paths, 'Begin');
    for (const [at, source] of names.entries()) {
      await repository.run(`git checkout --quiet -b ${source} main`);
      const changed = paths.slice(at * FILES_A_FOLDER, at * FILES_A_FOLDER + CHANGES_A_SOURCE);
      await repository.commit(source, changed, `Work\\n\\nCloses #${at + 1}`);
    }
    await repository.run('git fetch --quiet');
    return repository;
  }

  /** The commands of the gate as `--dry-run` prints them; each `commit` gets its message on stdin. */
  async script(): Promise<string> {
    const { plan } = JSON.parse(await this.gate('--dry-run', '--json')) as { plan: string[] };
    const commits = plan.map((line) => (/\bcommit\b/.test(line) ? `echo Merge | ${line}` : line));
    return commits.join('\n');
  }

  /** Runs the gate for all sources. */
  gate(...more: string[]): Promise<string> {
    const flags = this.sources.flatMap((source) => ['--source', source]);
    return this.person.plat(
      ['exec', 'gate-merge', '--messages-on-stdin', '--target-branch', 'main', ...flags, ...more],
      {
        folder: this.checkout,
        input: this.sources.map((source) => `Merge ${source}`).join('\0'),
      },
    );
  }

  reset(): Promise<string> {
    return this.run(RESET);
  }

  /** Runs a script in the checkout; the first command that fails ends it. */
  run(script: string): Promise<string> {
    return this.person.run('sh', ['-ec', script], { folder: this.checkout });
  }

  private get checkout(): string {
    return join(this.person.home, 'checkout');
  }

  private async commit(branch: string, paths: readonly string[], message: string): Promise<void> {
    for (const path of paths) {
      await mkdir(dirname(join(this.checkout, path)), { recursive: true });
      await writeFile(join(this.checkout, path), `${path} on ${branch}\n`.repeat(10));
    }
    await this.run(
      `git add --all && printf '${message}' | git commit --quiet -F - && git push --quiet origin HEAD:${branch}`,
    );
  }
}

function pathOf(at: number): string {
  return join(`folder-${Math.floor(at / FILES_A_FOLDER)}`, `file-${at % FILES_A_FOLDER}.txt`);
}
