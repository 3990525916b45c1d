import type { Command, Config } from '@oclif/core';
import type { PipedTexts } from '../terminal/command-host';
import type { PlatCommand } from '../terminal/plat-command';

type StaticParts =
  'id' | 'strict' | 'args' | 'flags' | 'baseFlags' | 'summary' | 'description' | 'examples' | 'usage';

/** A command class as oclif reads it: flags, arguments and texts are static. */
export interface CommandClass extends Pick<typeof Command, StaticParts> {
  new (argv: string[], config: Config): PlatCommand;
  piped?: PipedTexts;
}

/** Every command by its id; each is loaded when it runs or when its help is shown. */
export const COMMANDS: Readonly<Record<string, () => Promise<CommandClass>>> = {
  'activity:lease:list': async () => (await import('../commands/activity/lease/list.js')).LeaseList,
  'activity:lease:release': async () => (await import('../commands/activity/lease/release.js')).LeaseRelease,
  'activity:lease:renew': async () => (await import('../commands/activity/lease/renew.js')).LeaseRenew,
  'activity:lease:take': async () => (await import('../commands/activity/lease/take.js')).LeaseTake,
  api: async () => (await import('../commands/api.js')).Api,
  'cloud:init': async () => (await import('../commands/cloud/init.js')).CloudInit,
  'cloud:login': async () => (await import('../commands/cloud/login.js')).CloudLogin,
  'cloud:logout': async () => (await import('../commands/cloud/logout.js')).CloudLogout,
  'cloud:status': async () => (await import('../commands/cloud/status.js')).CloudStatus,
  'cloud:users': async () => (await import('../commands/cloud/users.js')).CloudUsers,
  completion: async () => (await import('../commands/completion.js')).Completion,
  'config:get': async () => (await import('../commands/config/get.js')).ConfigGet,
  'config:path': async () => (await import('../commands/config/path.js')).ConfigPath,
  'config:set': async () => (await import('../commands/config/set.js')).ConfigSet,
  doctor: async () => (await import('../commands/doctor.js')).Doctor,
  drive: async () => (await import('../commands/drive.js')).Drive,
  'exec:close-pr': async () => (await import('../commands/exec/close-pr.js')).ClosePr,
  'exec:gate-merge': async () => (await import('../commands/exec/gate-merge.js')).GateMerge,
  'exec:gate-run:report': async () => (await import('../commands/exec/gate-run/report.js')).GateRunReport,
  'exec:gate-run:start': async () => (await import('../commands/exec/gate-run/start.js')).GateRunStart,
  'exec:job:cancel': async () => (await import('../commands/exec/job/cancel.js')).JobCancel,
  'exec:job:list': async () => (await import('../commands/exec/job/list.js')).JobList,
  'exec:job:output': async () => (await import('../commands/exec/job/output.js')).JobOutput,
  'exec:job:start': async () => (await import('../commands/exec/job/start.js')).JobStart,
  'exec:plan-ruleset-bypass': async () =>
    (await import('../commands/exec/plan-ruleset-bypass.js')).PlanRulesetBypass,
  'exec:push': async () => (await import('../commands/exec/push.js')).Push,
  'exec:reconcile-bypass': async () => (await import('../commands/exec/reconcile-bypass.js')).ReconcileBypass,
  'exec:report-commit-status': async () =>
    (await import('../commands/exec/report-commit-status.js')).ReportCommitStatus,
  'gate:list': async () => (await import('../commands/gate/list.js')).GateList,
  'gate:show': async () => (await import('../commands/gate/show.js')).GateShow,
  mcp: async () => (await import('../commands/mcp.js')).Mcp,
  'review:close': async () => (await import('../commands/review/close.js')).ReviewClose,
  'review:comment': async () => (await import('../commands/review/comment.js')).ReviewComment,
  'review:comments': async () => (await import('../commands/review/comments.js')).ReviewComments,
  'review:create': async () => (await import('../commands/review/create.js')).ReviewCreate,
  'review:list': async () => (await import('../commands/review/list.js')).ReviewList,
  'review:queue:advance': async () => (await import('../commands/review/queue/advance.js')).QueueAdvance,
  'review:queue:list': async () => (await import('../commands/review/queue/list.js')).QueueList,
  'review:queue:override-advance': async () =>
    (await import('../commands/review/queue/override-advance.js')).QueueOverrideAdvance,
  'review:record-build': async () => (await import('../commands/review/record-build.js')).ReviewRecordBuild,
  'review:report-merged': async () =>
    (await import('../commands/review/report-merged.js')).ReviewReportMerged,
  'review:requeue': async () => (await import('../commands/review/requeue.js')).ReviewRequeue,
  'review:resolve': async () => (await import('../commands/review/resolve.js')).ReviewResolve,
  'review:reviewers:add': async () => (await import('../commands/review/reviewers/add.js')).ReviewersAdd,
  'review:reviewers:list': async () => (await import('../commands/review/reviewers/list.js')).ReviewersList,
  'review:reviewers:remove': async () =>
    (await import('../commands/review/reviewers/remove.js')).ReviewersRemove,
  'review:show': async () => (await import('../commands/review/show.js')).ReviewShow,
  'review:wait': async () => (await import('../commands/review/wait.js')).ReviewWait,
  version: async () => (await import('../commands/version.js')).Version,
};

/** What a topic is about, for its help. */
export const TOPICS = [
  { name: 'activity', description: 'Who is at work in this environment' },
  { name: 'activity:lease', description: 'Leases: signs of work, and claims' },
  { name: 'cloud', description: 'Platform aliases and signing in' },
  { name: 'config', description: 'The configuration of this machine' },
  { name: 'exec', description: 'Steps of the merge gate, in the checkout at hand' },
  { name: 'exec:gate-run', description: 'A gate attempt, made visible' },
  { name: 'exec:job', description: 'Commands that run in the background' },
  { name: 'gate', description: 'Gate attempts, as they were reported' },
  { name: 'review', description: 'Work to be merged, and what became of it' },
  { name: 'review:queue', description: 'The merge queue of one repository' },
  { name: 'review:reviewers', description: 'Who is assigned to review' },
];
