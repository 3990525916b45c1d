import type {
  Build,
  Comment,
  GateRun,
  GateRunPage,
  MergeQueueStatus,
  Review,
  Reviewer,
} from '@plat/api-client';
import { z } from './mcp-library.js';

/** The result of a tool, for the agent: an object. A result that is a list is its field `items`. */
type Output = z.ZodObject;

type Shape<T> = Partial<Record<keyof T, z.ZodType>>;

const text = z.string();
const maybe = z.string().optional();
const count = z.number();
const truth = z.boolean();

/**
 * An object with more fields than these. Values of enumerations are not checked, because a newer platform may know more,
 * and a call that has acted must not fail over its answer.
 */
const object = <T = Record<string, unknown>>(shape: Shape<T>): Output =>
  z.looseObject(shape as Record<string, z.ZodType>);
const list = (item: z.ZodType) => z.array(item);
const items = (item: z.ZodType) => z.looseObject({ items: list(item) });

const REVIEW = object<Review>({
  reviewId: text,
  name: text,
  status: text.describe('OPEN, READY, MERGE, MERGED, FAILED or CLOSED'),
  sourceBranch: text,
  targetBranch: text,
  repository: maybe,
  createdAt: text,
  updatedAt: text,
});
const GATE_RUN = object<GateRun>({
  gateRunId: text,
  verdict: text.describe('RUNNING, PASSED, FAILED or INCONCLUSIVE'),
  sourceBranch: text,
  targetBranch: text,
  sourceCommit: text,
  mergeCommit: maybe,
  reviewId: maybe,
  failingStep: maybe,
});
const BUILD = object<Build>({
  buildId: text,
  kind: text.describe('RECORDED or GATE'),
  successful: truth,
  commitId: text,
});
const COMMENT = object<Comment>({ commentId: text, status: text, body: text });
const REVIEWER = object<Reviewer>({ userId: text });
const JOB = object({ jobId: text, status: text, command: list(text), exitCode: count.optional() });
const UNDONE = object({
  commitId: text.describe('The commit of the earlier landing'),
  reviewId: maybe,
  reviewName: text,
  author: text,
  landedAt: text,
  path: text,
  firstLine: count.optional(),
  lastLine: count.optional(),
  kind: text.describe('dropped_by_merge, dropped_in_conflict, dropped_by_landing, restored or deleted'),
  certainty: text.describe('sure, likely or possible'),
  sourceCommitId: maybe,
});
const STANDING = object({
  state: text.describe('missing, undone, unknown, reverted, edited or standing'),
  reviewId: maybe,
  reviewName: text,
  commitId: maybe,
  undone: list(object({ path: text })),
  landAgain: list(text).optional().describe('Commands that land it again'),
});
const next = text.describe('The next call or action');
const NEXT = { next };
const EVENTS = { events: list(object({})), nextCursor: maybe };
const FINDING = object({
  check: text,
  result: text.describe('ok, failed, skipped or undecided'),
  detail: text,
  next: maybe,
});
const ABOUT_REVIEW = { reviewId: text, name: text, status: text };

const DRIVEN = object({
  reviewId: text,
  name: text,
  outcome: text.describe('MERGED, FAILED, ABANDONED or MERGED_ELSEWHERE'),
  mergeCommit: maybe,
  detail: maybe,
});
const GATED = object({
  targetBranch: text,
  targetCommit: text,
  mergeCommit: text.describe('The commit to build and push'),
  merged: list(object({ sourceBranch: text })),
  skipped: list(object({ sourceBranch: text, reason: text })),
});
const PUSHED = object({ commitId: text, upToDate: truth });

/** The results whose shape is known, by the command. */
const OUTPUTS: Readonly<Record<string, Output>> = {
  'activity:lease:list': items(object({ leaseId: text, holder: text, expiresAt: text })),
  'audit:list': object(EVENTS),
  doctor: items(FINDING),
  drive: object({ targetBranch: text, repository: text, reviews: list(DRIVEN) }),
  'exec:gate-merge': GATED,
  'exec:gate-run:report': GATE_RUN,
  'exec:gate-run:start': GATE_RUN,
  'exec:job:cancel': JOB,
  'exec:job:list': items(JOB),
  'exec:job:output': object({ jobId: text, status: text, output: text }),
  'exec:job:start': JOB,
  'exec:push': PUSHED,
  'gate:list': object<GateRunPage>({ gateRuns: list(GATE_RUN), nextCursor: maybe }),
  'gate:show': GATE_RUN,
  'ledger:check': object({
    sound: truth,
    targetBranch: text,
    rows: list(object({ verdict: text })),
    stands: truth.optional().describe('With stillThere: whether no landing is missing, undone or unknown'),
    landings: list(STANDING).optional(),
    window: object({ landings: count, isComplete: truth }).optional(),
  }),
  'review:attest': object({
    reviewId: text,
    repository: text,
    targetBranch: text,
    commitId: text.describe('The commit that it is about'),
    predicateType: text,
    contentVerdict: text,
    keyId: text,
    envelope: object({}).describe('A DSSE envelope'),
  }),
  'review:builds': items(BUILD),
  'review:close': REVIEW,
  'review:comment': COMMENT,
  'review:comments': items(COMMENT),
  'review:create': REVIEW,
  'review:list': items(REVIEW),
  'review:queue:advance': REVIEW,
  'review:queue:list': items(REVIEW),
  'review:queue:override-advance': REVIEW,
  'review:queue:show': object<MergeQueueStatus>({ targetBranch: text, entries: list(object({})) }),
  'review:record-build': BUILD,
  'review:report-merged': REVIEW,
  'review:requeue': REVIEW,
  'review:resolve': COMMENT,
  'review:reviewers:list': items(REVIEWER),
  'review:show': REVIEW,
  'review:undoes': object({
    findings: list(UNDONE),
    reverts: list(UNDONE),
    window: object({ landings: count }),
  }),
  'review:verify': object({
    reviewId: text,
    repository: text,
    sourceBranch: text,
    targetBranch: text,
    outcome: text.describe('CONFIRMED, REFUTED or NOT_CONFIRMED'),
    findings: list(FINDING),
  }),
  'review:wait': REVIEW,
  'review:why': object({ ...ABOUT_REVIEW, ...EVENTS, ...NEXT }),
  status: object({ ...ABOUT_REVIEW, position: count.optional(), blockedBy: z.unknown().optional(), ...NEXT }),
};

/**
 * The schema of a tool's result, if its shape is known. A tool that takes `preview` answers the plan in place of a result,
 * so none of its fields is required.
 */
export function outputOf(id: string, takesPreview: boolean): Output | undefined {
  const output = Object.hasOwn(OUTPUTS, id) ? OUTPUTS[id] : undefined;
  if (output === undefined || !takesPreview) return output;
  return output.partial().extend({
    dryRun: z.boolean().optional().describe('true with preview'),
    plan: z.array(z.string()).optional().describe('With preview: what the call would do'),
  });
}

/** A result as structured content, which is always an object. Undefined for a result that is neither object nor list. */
export function structured(value: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(value)) return { items: value };
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
