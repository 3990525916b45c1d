import { randomUUID } from 'node:crypto';
import { HASH_BYTES } from '@plat/ledger';
import { SealedLog } from '@plat/testing';
import { GateCheckout } from './gate-checkout';
import type { PlatRun } from './plat-process';
import type { SeenRequest } from './platform-double';
import { queryOf, serveLog } from './served-log';
import { signedInMachine } from './signed-in';

/** The facts of a landing that the repository does not show. */
interface LandingFacts {
  name: string;
  sourceTip?: string;
  /** Undefined: HEAD of main. */
  commitId?: string;
  [field: string]: unknown;
}

/** A person's clone, a platform with a sealed log, and landings in both. */
export class LandingStand {
  readonly log = new SealedLog();

  private constructor(
    readonly signedIn: Awaited<ReturnType<typeof signedInMachine>>,
    readonly checkout: GateCheckout,
  ) {
    const { platform } = signedIn;
    serveLog(platform, this.log);
    platform.answer('GET /v1/audit-log/entries', (request) => ({ body: this.page(request) }));
    platform.answer('GET /v1/audit-log/tile', (request) => this.tile(request));
    platform.answer('GET /v1/reviews', { body: [] });
    platform.answer('GET /v1/gate-runs', { body: { gateRuns: [] } });
    platform.answer('GET /v1/builds', { body: { builds: [] } });
  }

  static async create(): Promise<LandingStand> {
    const signedIn = await signedInMachine();
    const checkout = await GateCheckout.create(signedIn.machine);
    // As in a clone of a repository that had a commit.
    await checkout.git('remote', 'set-head', 'origin', 'main');
    return new LandingStand(signedIn, checkout);
  }

  /** Seals a receipt about a commit. @returns the review's id */
  async seal({ commitId, ...facts }: LandingFacts): Promise<string> {
    const landed = commitId ?? (await this.checkout.git('rev-parse', 'main'));
    const [tree, parent] = (await this.checkout.git('log', '-1', '--format=%T %P', landed)).split(' ');
    const reviewId = randomUUID();
    this.log.addLanding({
      ...{ reviewId, remoteUrl: this.checkout.origin, sourceBranch: 'topic', targetBranch: 'main' },
      ...{ commitId: landed, targetTip: landed, treeId: tree, parentCommitId: parent },
      ...facts,
    });
    return reviewId;
  }

  /** Pushes a branch with one file, lands it by a squash merge, and seals its receipt unless `sealed` is false. */
  async squash(name: string, { sealed = true, ...facts }: Record<string, unknown> = {}): Promise<string> {
    const branch = `topic/${randomUUID()}`;
    const sourceTip = await this.checkout.branch(branch, { [`${name}.txt`]: `${name}\n` });
    await this.checkout.git('merge', '--quiet', '--squash', branch);
    await this.checkout.git('commit', '--quiet', '-m', name);
    await this.push();
    if (sealed) await this.seal({ name, sourceTip, sourceBranch: branch, ...facts });
    return this.checkout.git('rev-parse', 'main');
  }

  async push(...args: string[]): Promise<void> {
    await this.checkout.git('push', '--quiet', ...args, 'origin', 'main');
  }

  check(...args: string[]): Promise<PlatRun> {
    return this.signedIn.machine.plat(['ledger', 'check', '--json', ...args], { cwd: this.checkout.folder });
  }

  private page(request: SeenRequest): object {
    const { from = '0', limit = '256', kind } = queryOf(request);
    const wanted = this.log.entries
      .map(({ leaf, shown }, index) => ({ index, leaf: leaf.toString(), shown }))
      .filter(({ index, leaf }) => index >= Number(from) && (!kind || leaf.includes(`"kind":"${kind}"`)));
    const entries = wanted.slice(0, Number(limit)).map(({ shown, ...entry }) => ({
      ...entry,
      salt: shown?.salt.toString('base64'),
      fields: shown?.fields,
    }));
    return { entries, nextFrom: wanted[Number(limit)]?.index };
  }

  private async tile(request: SeenRequest) {
    const { level, index, width } = queryOf(request);
    const tile = { level: Number(level), index: Number(index), width: Number(width) };
    const [hashes = Buffer.alloc(HASH_BYTES)] = await this.log.reader()([tile]);
    return { body: { hashes: Buffer.from(hashes).toString('base64') } };
  }
}
