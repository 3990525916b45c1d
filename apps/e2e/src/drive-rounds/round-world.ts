import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execFileSync, makeBranch, type Random } from '@plat/testing';
import type { Checkout, DriveStand } from '../drive-stand';
import { HOSTILE_FILES } from './hostile-branches';

/** A checkout, and the machine that it is on. */
export interface Place {
  name: string;
  checkout: Checkout;
  /** Variables of the machine. */
  machine: Record<string, string>;
}

/** Removes the file `hooks/decline` if it is there and then declines the push to the target, as a forge's rule does. */
const PRE_RECEIVE = `#!/bin/sh
grep -q refs/heads/main || exit 0
if rm hooks/decline 2>/dev/null; then echo "declined by a rule" >&2; exit 1; fi
`;

/** How often the checks read again if the service is too busy to answer. */
const READS_MAX = 10;

/** The gate of the rounds. */
export const GATE = 'test ! -e FAIL';

/** The place of a repository's gate: a flag of each drive, the build script, or the project file. */
export type GatePlace = 'flag' | 'script' | 'file';
const GATE_PLACES: readonly GatePlace[] = ['flag', 'script', 'file'];

export interface RoundReview {
  reviewId: string;
  status: string;
  repository: string;
  lastMergedBuildId?: string;
}

export interface RoundBuild {
  buildId: string;
  kind: string;
  successful: boolean;
  commitId: string;
}

const SETTINGS: ReadonlyArray<readonly [string, string]> = [
  ['merge.renameLimit', '1'],
  ['diff.renames', 'false'],
  ['merge.conflictStyle', 'diff3'],
  ['core.autocrlf', 'input'],
  ['core.quotePath', 'true'],
  ['merge.renormalize', 'true'],
  // Files of two names that differ in case alone are one file then, as on other systems.
  ['core.ignoreCase', 'true'],
  ['filter.bad.smudge', 'false'],
  ['filter.bad.required', 'true'],
];

/** One repository with its queue, and the three checkouts in which it is driven: two on one machine, one on another. */
export class RoundWorld {
  /** Commits that others pushed to the target past the queue. */
  readonly others = new Set<string>();
  private proposed = 0;

  private constructor(
    private readonly stand: DriveStand,
    readonly gatePlace: GatePlace,
    readonly places: readonly Place[],
    private readonly bare: string,
  ) {}

  static async create(stand: DriveStand, name: string, random: Random): Promise<RoundWorld> {
    const gatePlace = random.pick(GATE_PLACES);
    const first = await stand.repository(`${name}/app`, gatePlace === 'script' ? GATE : undefined);
    if (gatePlace === 'file') {
      await first.commit({ '.plat/config.yaml': `gate: {command: "${GATE}"}\n` }, 'Name the gate');
      await first.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main');
    }
    const other = await stand.anotherMachine();
    const places = [
      { name: 'first', checkout: first, machine: {} },
      { name: 'second', checkout: await stand.anotherCheckout(first, `${name}/second`), machine: {} },
      {
        name: 'elsewhere',
        checkout: await stand.anotherCheckout(first, `${name}/elsewhere`),
        machine: other,
      },
    ];
    const bare = `${first.folder}.git`;
    await writeFile(join(bare, 'hooks', 'pre-receive'), PRE_RECEIVE);
    await chmod(join(bare, 'hooks', 'pre-receive'), 0o755);
    const world = new RoundWorld(stand, gatePlace, places, bare);
    for (const commit of world.landed()) world.others.add(commit);
    return world;
  }

  /** The commits of the target in the bare repository, the newest first. */
  landed(): string[] {
    return this.git('rev-list', '--first-parent', 'refs/heads/main').split('\n');
  }

  /** The reviews of the repository, as the service has them. Asked directly: a start of the client takes longer. */
  async reviews(): Promise<RoundReview[]> {
    const query = new URLSearchParams({ repository: this.places[0]!.checkout.remote, limit: '200' });
    return this.read(`/v1/reviews?${query.toString()}`);
  }

  async builds(reviewId: string): Promise<RoundBuild[]> {
    return this.read(`/v1/reviews/${reviewId}/builds`);
  }

  /** A busy service may answer 503. Such an answer is no list of nothing. */
  private async read<T>(path: `/${string}`): Promise<T[]> {
    for (let reads = 1; ; reads += 1) {
      const { status, body } = await this.stand.service.send('alice', `GET ${path}`);
      if (status === 200) return body as T[];
      if (status !== 503 || reads === READS_MAX) throw new Error(`GET ${path} answered ${status}`);
    }
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.bare, encoding: 'utf8' }).trim();
  }

  /**
   * Proposes a review that passes its gate, fails it, conflicts with other reviews that change README.md, or has hostile
   * files.
   */
  async propose(random: Random): Promise<string> {
    const { checkout } = this.places[0]!;
    const at = (this.proposed += 1);
    if (random.chance(0.4)) {
      const branch = `feature/${at}-hostile`;
      const files = random.pick(Object.values(HOSTILE_FILES));
      return checkout.report(branch, await makeBranch({ bare: this.bare, branch, files }));
    }
    const kinds: Array<Record<string, string>> = [
      { [`part-${at}.txt`]: 'part\n' },
      { [`part-${at}.txt`]: 'part\n' },
      { FAIL: `${at}\n` },
      { 'README.md': `of ${at}\n` },
    ];
    return checkout.propose(`feature/${at}-part`, random.pick(kinds));
  }

  /** Moves the target, as a push past the queue does. */
  moveTarget(): void {
    const person = ['-c', 'user.name=Other', '-c', 'user.email=other@example.com'];
    const before = this.git('rev-parse', 'refs/heads/main');
    const moved = this.git(
      ...person,
      'commit-tree',
      `${before}^{tree}`,
      '-p',
      before,
      '-m',
      'Past the queue',
    );
    try {
      this.git('update-ref', 'refs/heads/main', moved, before);
      this.others.add(moved);
    } catch {
      // A drive pushed at this moment, so the target has moved anyway.
    }
  }

  /** The branches of origin that reviews propose. */
  sources(): string[] {
    return this.git('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/feature').split('\n');
  }

  /** Pushes a commit to a source, as its author does who corrects it. */
  moveSource(random: Random): void {
    const ref = `refs/heads/${random.pick(this.sources())}`;
    const before = this.git('rev-parse', ref);
    const person = ['-c', 'user.name=Author', '-c', 'user.email=author@example.com'];
    const tree = `${before}^{tree}`;
    this.git('update-ref', ref, this.git(...person, 'commit-tree', tree, '-p', before, '-m', 'More'), before);
  }

  /** Deletes a source, but leaves one, so that there is always one to merge. */
  deleteSource(random: Random): void {
    const sources = this.sources();
    if (sources.length > 1) this.git('update-ref', '-d', `refs/heads/${random.pick(sources)}`);
  }

  /** Changes a setting of the person in a checkout that could change a merge, if a merge went by it. */
  async changeSettings(random: Random): Promise<void> {
    const { checkout } = random.pick(this.places);
    const [key, value] = random.pick(SETTINGS);
    await checkout.git('config', key, value);
  }

  /** Makes the repository decline the next push to the target. */
  async declineNextPush(): Promise<void> {
    await writeFile(join(this.bare, 'hooks', 'decline'), '');
  }
}
