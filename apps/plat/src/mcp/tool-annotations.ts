import type { ToolAnnotations } from './mcp-library.js';

/** How a tool changes things. Hints of the protocol, by which a client decides whether to ask a person first. */
interface Change {
  /** Whether it may change or end something that is there, instead of adding to it. */
  destructive: boolean;
  /** Whether the same call once more has no further effect. */
  idempotent: boolean;
}

const ADDS: Change = { destructive: false, idempotent: false };
const ADDS_ONCE: Change = { destructive: false, idempotent: true };
const REPLACES: Change = { destructive: true, idempotent: false };
const REPLACES_ONCE: Change = { destructive: true, idempotent: true };

/** The commands that change something; each other tool only reads. */
const CHANGES: Readonly<Record<string, Change>> = {
  build: ADDS,
  drive: REPLACES,
  'exec:close-pr': REPLACES_ONCE,
  // Moves the local target branch.
  'exec:gate-merge': REPLACES,
  'exec:gate-run:report': ADDS_ONCE,
  'exec:gate-run:start': ADDS,
  'exec:job:cancel': REPLACES_ONCE,
  // Runs any command.
  'exec:job:start': REPLACES,
  'exec:push': REPLACES_ONCE,
  'exec:report-commit-status': ADDS_ONCE,
  'review:close': REPLACES_ONCE,
  'review:comment': ADDS,
  'review:create': ADDS,
  'review:queue:advance': ADDS,
  'review:queue:override-advance': REPLACES,
  // A failed build takes a review out of the queue.
  'review:record-build': REPLACES,
  'review:report-merged': ADDS_ONCE,
  'review:requeue': REPLACES_ONCE,
  'review:resolve': ADDS_ONCE,
  'review:reviewers:add': ADDS_ONCE,
  'review:reviewers:remove': REPLACES_ONCE,
  submit: ADDS_ONCE,
};

/** Commands that reach nothing but this machine. Each other tool calls the platform, a forge or a remote. */
const LOCAL = ['activity:lease:list', 'exec:job:cancel', 'exec:job:list', 'exec:job:output'];

/** The protocol's hints about a command's tool. */
export function annotationsOf(id: string, title: string): ToolAnnotations {
  const change = Object.hasOwn(CHANGES, id) ? CHANGES[id] : undefined;
  return {
    title,
    readOnlyHint: change === undefined,
    destructiveHint: change?.destructive ?? false,
    idempotentHint: change?.idempotent ?? true,
    openWorldHint: !LOCAL.includes(id),
  };
}
