import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { MergeReceipt } from '@plat/api-client';
import {
  GitRemote,
  type StandaloneProcess,
  startBrowser,
  startStandalone,
  type TestBrowser,
} from '@plat/testing';
import { ConsoleVisit, type VisitOptions } from './console-visit';

interface Report {
  apiUrl: string;
  databaseUrl: string;
  accounts: Record<string, { token: string; userId: string; tenantId: string }>;
}

export interface Shown {
  reviewId: string;
  name: string;
  status: string;
}

/** The standalone and a browser: what a person has who opens the console. */
export class ConsoleStand {
  private readonly remotes: GitRemote[] = [];
  private readonly visits: ConsoleVisit[] = [];

  private constructor(
    private readonly folder: string,
    private service: StandaloneProcess<Report>,
    private readonly browser: TestBrowser,
  ) {}

  static async start(): Promise<ConsoleStand> {
    const folder = await mkdtemp(join(tmpdir(), 'plat-console-'));
    const service = await startStandalone<Report>({ folder });
    return new ConsoleStand(folder, service, await startBrowser());
  }

  get apiUrl(): string {
    return this.service.apiUrl;
  }

  userId(account: string): string {
    return this.service.report.accounts[account]!.userId;
  }

  /** Sends a request as an account. @throws Error for an answer that is no success */
  async send<Answer = Shown>(account: string, request: string, body?: object): Promise<Answer> {
    const [method, path] = request.split(' ') as [string, string];
    const response = await fetch(this.apiUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${this.service.report.accounts[account]!.token}`,
        'content-type': 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = (await response.json()) as Answer;
    if (!response.ok) throw new Error(`${request}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  /** A new person's browser, at an address of the console and not signed in. Its visits end with the stand. */
  async visit(address = '/console/', options: VisitOptions = {}): Promise<ConsoleVisit> {
    const context = await this.browser.visitor({
      viewport: { width: 1000, height: 800 },
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const visit = await ConsoleVisit.open(context, this.apiUrl + address);
    this.visits.push(visit);
    return visit;
  }

  /** The same, signed in as an account. */
  async visitSignedIn(
    account: string,
    address = '/console/',
    options: VisitOptions = {},
  ): Promise<ConsoleVisit> {
    const visit = await this.visit(address, options);
    await visit.signIn(account);
    return visit;
  }

  /** A queue of its own: a target branch that no other case uses. */
  async queue(): Promise<QueueScene> {
    const remote = await GitRemote.create();
    this.remotes.push(remote);
    await remote.commit({ 'a.txt': 'a\n' });
    return new QueueScene(this, remote, `main`);
  }

  /** Statements as the owner of the database, without triggers and foreign keys: rows that no test waits for one by one. */
  private async insert(...statements: [sql: string, values: unknown[]][]): Promise<void> {
    const client = new Client(this.service.report.databaseUrl);
    await client.connect();
    try {
      await client.query('SET session_replication_role = replica');
      for (const [sql, values] of statements) await client.query(sql, values);
    } finally {
      await client.end();
    }
  }

  /** Ends the service. What was running in it is cut off. */
  async stopService(): Promise<void> {
    await this.service.stop();
  }

  /** Starts it again on the same port, with what it kept. */
  async startService(): Promise<void> {
    const port = Number(new URL(this.apiUrl).port);
    this.service = await startStandalone<Report>({ folder: this.folder, port });
  }

  /** Removes the keys of the service's issuers: tokens that they signed are then refused. Only while it is stopped. */
  async forgetIssuers(): Promise<void> {
    await rm(join(this.folder, 'data', 'issuers'), { recursive: true });
  }

  /** Gives an account this many READY reviews onto a target branch, and as many releases of it. */
  async fillQueue(account: string, targetBranch: string, count: number): Promise<void> {
    const values = [this.tenantId(account), this.userId(account), targetBranch, count];
    await this.insert(
      [
        `WITH made AS (
           INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch, status,
                                        ticket, last_ready_build_id)
           SELECT $1, gen_random_uuid(), $2, 'Review ' || n, 'topic/' || n, $3, 'READY', n, gen_random_uuid()
             FROM generate_series(1, $4::integer) AS n RETURNING review_id, ticket, last_ready_build_id)
         INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, move, ticket, cause, actor_user_id,
                                          build_id, nth)
         SELECT $1, $3, ticket, review_id, 'ready', ticket, 'BUILD_SUCCEEDED', $2, last_ready_build_id, ticket FROM made`,
        values,
      ],
      [
        'INSERT INTO reviews.queues (tenant_id, target_branch, version, last_ticket) VALUES ($1, $2, $3, $3)',
        [this.tenantId(account), targetBranch, count],
      ],
      [
        `INSERT INTO releases.releases (tenant_id, release_id, target_branch, commit_id)
         SELECT $1, gen_random_uuid(), $2, lpad(to_hex(n), 40, '0') FROM generate_series(1, $3::integer) AS n`,
        [this.tenantId(account), targetBranch, count],
      ],
    );
  }

  /** Adds this many long replies to the first thread of a review. */
  async fillThread({ reviewId }: Shown, count: number): Promise<void> {
    await this.insert([
      `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, parent_comment_id, commit_id,
                                     file_path, line, body)
       SELECT tenant_id, gen_random_uuid(), review_id, creator_user_id, comment_id, commit_id, file_path, line,
              repeat('word ', 1600)
         FROM reviews.comments, generate_series(1, $2::integer) WHERE review_id = $1 AND parent_comment_id IS NULL`,
      [reviewId, count],
    ]);
  }

  private tenantId(account: string): string {
    return this.service.report.accounts[account]!.tenantId;
  }

  async stop(): Promise<void> {
    await Promise.all(this.visits.map((visit) => visit.close()));
    await this.browser.close();
    await this.service.stop();
    await Promise.all(this.remotes.map((remote) => remote.remove()));
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Reviews onto one target branch of one repository, and what happens to them. */
export class QueueScene {
  constructor(
    private readonly stand: ConsoleStand,
    private readonly remote: GitRemote,
    readonly targetBranch: string,
  ) {}

  /** The repository as the service names it. */
  get repository(): string {
    return this.remote.fileUrl;
  }

  /** The console's address of the queue. */
  get address(): string {
    return `/console/queue?${new URLSearchParams({ targetBranch: this.targetBranch, repository: this.repository })}`;
  }

  async propose(
    account: string,
    body: object = {},
    files: Record<string, string> = { [`${randomUUID()}.txt`]: 'b\n' },
  ): Promise<Shown> {
    const sourceBranch = `topic/${randomUUID()}`;
    await this.remote.switch(sourceBranch, this.targetBranch);
    await this.remote.commit(files);
    await this.remote.switch(this.targetBranch);
    return this.stand.send(account, 'POST /v1/reviews', { ...this.proposal(sourceBranch), ...body });
  }

  private proposal(sourceBranch: string) {
    const { repository, targetBranch } = this;
    return { repository, name: `Review ${sourceBranch}`, sourceBranch, targetBranch };
  }

  /**
   * Lands a review with three lines, and then one whose branch has merged the target and kept its own side: it takes the lines
   * back.
   */
  async takeBack(
    account: string,
    names: { fix: string; later: string },
  ): Promise<Record<'fix' | 'later', Shown>> {
    const { remote } = this;
    await remote.switch('later', this.targetBranch);
    await remote.commit({ 'other.txt': 'mine\n' });
    await remote.switch(this.targetBranch);
    const fix = await this.green(
      account,
      { name: names.fix },
      { 'transfer.txt': 'sender\namount\nreceiver\n' },
    );
    await this.land(account, fix);
    await remote.switch('later');
    await remote.git('merge', '--quiet', '--no-edit', '-s', 'ours', this.targetBranch);
    await remote.switch(this.targetBranch);
    const later = await this.stand.send(account, 'POST /v1/reviews', {
      ...this.proposal('later'),
      name: names.later,
    });
    await this.build(account, later, { successful: true, version: '1.0.0' });
    await this.land(account, later);
    await this.untilExamined(account, later);
    return { fix, later };
  }

  /** Waits until the service has compared a merge with the landings before it. */
  private async untilExamined(account: string, { reviewId }: Shown): Promise<void> {
    const request = `GET /v1/reviews/${reviewId}/merge-receipt`;
    for (;;) {
      const { undoneWork } = await this.stand.send<MergeReceipt>(account, request);
      if (undoneWork.examinedAt !== undefined) return;
    }
  }

  /** A review with a green build: at MERGE if the queue was idle, else READY. */
  async green(account: string, body: object = {}, files?: Record<string, string>): Promise<Shown> {
    const review = await this.propose(account, body, files);
    await this.build(account, review, { successful: true, version: '1.0.0' });
    return review;
  }

  async build(account: string, { reviewId }: Shown, body: object): Promise<{ buildId: string }> {
    return this.stand.send(account, `POST /v1/reviews/${reviewId}/builds`, {
      commitId: 'a'.repeat(40),
      ...body,
    });
  }

  async comment(account: string, { reviewId }: Shown, body: string): Promise<void> {
    await this.stand.send(account, `POST /v1/reviews/${reviewId}/comments`, {
      commitId: 'a'.repeat(40),
      filePath: 'src/clock.ts',
      line: 7,
      body,
    });
  }

  /** Merges a review at MERGE in the repository, and reports it. */
  async land(account: string, { reviewId }: Shown): Promise<void> {
    const { sourceBranch } = await this.stand.send<{ sourceBranch: string }>(
      account,
      `GET /v1/reviews/${reviewId}`,
    );
    await this.remote.switch(this.targetBranch);
    const commitId = await this.remote.squash(sourceBranch);
    const gate = { commitId, kind: 'GATE', successful: true };
    const { buildId } = await this.build(account, { reviewId, name: '', status: '' }, gate);
    const report = { status: 'MERGED', buildId, remoteUrl: this.repository };
    await this.stand.send(account, `PATCH /v1/reviews/${reviewId}/status`, report);
  }

  async gateRun(account: string, { reviewId }: Shown, body: object): Promise<{ gateRunId: string }> {
    const { sourceBranch } = await this.stand.send<{ sourceBranch: string }>(
      account,
      `GET /v1/reviews/${reviewId}`,
    );
    return this.stand.send(account, 'POST /v1/gate-runs', {
      sourceBranch,
      targetBranch: this.targetBranch,
      sourceCommit: 'b'.repeat(40),
      mergeCommit: 'c'.repeat(40),
      reviewId,
      ...body,
    });
  }
}
