import { randomUUID } from 'node:crypto';
import { GitRemote } from '../git/git-remote';
import { serveGit } from '../git/serve-git';
import { ReviewScene } from './review-scene';
import type { SceneService, TestAnswer } from './test-service';

/** A review at MERGE whose merge commit is on the target and reported by a successful GATE build. */
export interface GatedReview {
  id: string;
  commitId: string;
  buildId: string;
}

/** The answer to a refused report, and whether the report changed anything. */
export interface RefusedReport {
  status: number;
  code: unknown;
  reason: unknown;
  changed: boolean;
}

/** The refusal of a report that git does not confirm. */
export const notVerified = (reason: string): RefusedReport => ({
  status: 409,
  code: 'MERGE_NOT_VERIFIED',
  reason,
  changed: false,
});

/** A real repository with a first commit on `main`, its address, and a scene of reviews onto one of its branches. */
export class MergeScene {
  private constructor(
    private readonly service: SceneService,
    readonly git: GitRemote,
    /** The first commit of `main`. */
    readonly base: string,
    readonly remoteUrl: string,
    readonly scene: ReviewScene,
    /** Stops the repository's server and keeps the repository. */
    readonly stopServing: () => Promise<void>,
  ) {}

  static async create(service: SceneService, served: 'http' | 'file' = 'file'): Promise<MergeScene> {
    const git = await GitRemote.create();
    const base = await git.commit({ 'README.md': 'a line\n' });
    const server = served === 'http' ? await serveGit(git.projectRoot) : undefined;
    const remoteUrl = server ? `${server.origin}/repo/.git` : git.fileUrl;
    const stop = async () => server?.close();
    return new MergeScene(service, git, base, remoteUrl, new ReviewScene(service, remoteUrl, 'main'), stop);
  }

  /** Stops the server and removes the repository. */
  async remove(): Promise<void> {
    await this.stopServing();
    await this.git.remove();
  }

  /** A scene of the same repository with other reviews or another address. The scene of `create` removes it. */
  with({ scene = this.scene, remoteUrl = this.remoteUrl }: Partial<Pick<MergeScene, 'scene' | 'remoteUrl'>>) {
    return new MergeScene(this.service, this.git, this.base, remoteUrl, scene, this.stopServing);
  }

  /** The scene on a target branch that no other case uses, since rows without a repository share one queue. */
  async onOwnTarget(): Promise<MergeScene> {
    const targetBranch = `target/${randomUUID()}`;
    await this.git.switch(targetBranch, 'main');
    return this.with({ scene: new ReviewScene(this.service, this.remoteUrl, targetBranch) });
  }

  /** The scene with reviews onto the same target that record no repository. */
  unrecorded(): MergeScene {
    return this.with({ scene: new ReviewScene(this.service, null, this.scene.targetBranch) });
  }

  /** Commits on the checked-out branch, as the promoted environment does. */
  push(): Promise<string> {
    return this.git.commit({ [`${randomUUID()}.txt`]: 'merged\n' });
  }

  async openGated(): Promise<GatedReview> {
    const id = await this.scene.green();
    const commitId = await this.push();
    return { id, commitId, buildId: await this.scene.build(id, { kind: 'GATE', commitId }) };
  }

  /** Merges through the queue. The merge's commit becomes the anchor of the next one. */
  async mergeReview(): Promise<GatedReview> {
    const merge = await this.openGated();
    const { status, body } = await this.report(merge.id, merge.buildId);
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
    return merge;
  }

  /** Proposes a review of a new branch with a change of its own, and checks the branch out. */
  async proposeReview(): Promise<{ id: string; sourceBranch: string; tip: string }> {
    const sourceBranch = `topic/${randomUUID()}`;
    await this.git.switch(sourceBranch, 'main');
    const tip = await this.git.commit({ 'feature.txt': `${randomUUID()}\n` });
    return { id: await this.scene.open({ sourceBranch }), sourceBranch, tip };
  }

  /** PATCH status MERGED, with the remote of this scene. */
  report(id: string, buildId?: string): Promise<TestAnswer> {
    return this.scene.patch(id, { status: 'MERGED', remoteUrl: this.remoteUrl, buildId });
  }

  /** Sends a report that must be refused. */
  async expectRefusal(send: () => Promise<TestAnswer>): Promise<RefusedReport> {
    const before = await this.state();
    const { status, body } = await send();
    const { code, details } = body as { code: string; details?: { reason?: string } };
    return { status, code, reason: details?.reason, changed: (await this.state()) !== before };
  }

  /** The stored verification of a review's merge; empty if there is none. */
  verificationOf(id: string): Promise<Record<string, unknown>[]> {
    return this.service.database.query(
      `SELECT route, repository, target_branch, target_tip, commit_id, anchor_commit_id, source_tip, build_id,
              release_error
         FROM reviews.verifications WHERE review_id = $1`,
      [id],
    );
  }

  async releasesOf(id: string): Promise<Record<string, unknown>[]> {
    const { body } = await this.service.send('alice', `GET /v1/reviews/${id}/releases`);
    return body as Record<string, unknown>[];
  }

  /** Everything that a report could change, byte for byte. */
  private async state(): Promise<string> {
    const rows = await this.service.database.query(
      `SELECT (SELECT string_agg(r::text, ';' ORDER BY r.review_id) FROM reviews.reviews r) AS reviews,
              (SELECT string_agg(v::text, ';' ORDER BY v.review_id) FROM reviews.verifications v) AS verifications,
              (SELECT string_agg(q::text, ';' ORDER BY q::text) FROM reviews.queues q) AS queues,
              (SELECT string_agg(e::text, ';' ORDER BY e.release_id) FROM releases.releases e) AS releases`,
    );
    return JSON.stringify(rows);
  }
}
