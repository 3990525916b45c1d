import { Drive } from '../commands/drive';
import { GateMerge } from '../commands/exec/gate-merge';
import { Push } from '../commands/exec/push';
import { ReviewList } from '../commands/review/list';
import { QueueAdvance } from '../commands/review/queue/advance';
import { ReviewRecordBuild } from '../commands/review/record-build';
import { ReviewReportMerged } from '../commands/review/report-merged';
import { ReviewShow } from '../commands/review/show';
import { ReviewWait } from '../commands/review/wait';
import { ReviewWhy } from '../commands/review/why';
import { Status } from '../commands/status';
import type { CommandClass } from '../terminal/command-host';
import { loadTools, type Tool } from './tool';
import { ToolWords } from './tool-words';

const COMMANDS: Readonly<Record<string, CommandClass>> = {
  drive: Drive,
  'exec:gate-merge': GateMerge,
  'exec:push': Push,
  'review:list': ReviewList,
  'review:queue:advance': QueueAdvance,
  'review:record-build': ReviewRecordBuild,
  'review:report-merged': ReviewReportMerged,
  'review:show': ReviewShow,
  'review:wait': ReviewWait,
  'review:why': ReviewWhy,
  status: Status,
};
/** Commands that are no tools. */
const OTHERS = ['admin:user:enable', 'cloud:login'];
/** Characters of a message that the patterns are tried with. */
const TEXT_LENGTH = 500_000;
const ID = '0198f2a4-7a61-7c3e-9d0b-5b1f0c9a2e11';

describe('a hint for a person, as an agent gets it. Rule G14', () => {
  let toolNamed: (name: string) => Tool;
  let words: ToolWords;
  beforeAll(async () => {
    const ids = [...Object.keys(COMMANDS), ...OTHERS];
    const tools = await loadTools({ ids, load: async (id) => COMMANDS[id]! });
    words = new ToolWords(tools, ids);
    toolNamed = (name) => tools.find((tool) => tool.name === name)!;
  });

  it.each([
    [
      'plat review record-build <review_id> --gate',
      'review_record-build with reviewId: <review_id>, gate: true',
    ],
    [`plat review show ${ID}`, `review_show with reviewId: "${ID}"`],
    ['plat review list', 'review_list'],
    ['plat review list --status OPEN', 'review_list with status: "OPEN"'],
    [
      'plat review record-build <review_id> --gate, then report with its --build-id',
      'review_record-build with reviewId: <review_id>, gate: true, then report with its buildId',
    ],
    ['plat exec push, then repeat the report', 'exec_push, then repeat the report'],
    [
      'put the review back: plat drive --target-branch main --give-up; or, if nobody did: plat exec push --target-branch main',
      'put the review back: drive with targetBranch: "main", giveUp: true; or, if nobody did: exec_push with targetBranch: "main"',
    ],
    ["plat drive --target-branch 'a; b' --once", 'drive with targetBranch: "a; b", once: true'],
    [`plat drive --target-branch 'it'\\''s one' --once`, `drive with targetBranch: "it's one", once: true`],
    ['plat exec gate-merge --source <a> --source b', 'exec_gate-merge with source: [<a>, "b"]'],
    ['plat status and plat review why show it', 'status and review_why show it'],
    ['Read plat review list.', 'Read review_list.'],
    ['the branch (plat review list --here), or', 'the branch (review_list with here: true), or'],
    // For the person at the machine.
    ['plat cloud login --alias work', 'plat cloud login --alias work'],
    ['plat admin user enable <user>, then plat status', 'plat admin user enable <user>, then status'],
    ['plat is on the PATH', 'plat is on the PATH'],
  ])('%s: %s', (hint, shown) => {
    expect(words.text(hint, toolNamed('review_report-merged'))).toBe(shown);
  });

  it.each([
    [
      'review_report-merged',
      "report with --remote-url of the review's own",
      "report with remoteUrl of the review's own",
    ],
    [
      'review_queue_advance',
      'repeat the command with --repository <remote>',
      'repeat the call with repository: <remote>',
    ],
    ['drive', '--take-over goes on with it', 'takeOver: true goes on with it'],
    ['drive', 'with --dry-run it prints the plan', 'with preview: true it prints the plan'],
    ['review_list', 'repeat the command with --alias work', 'repeat the call with --alias work'],
    ['exec_gate-merge', 'give them with --messages-on-stdin', 'give them with messages'],
    ['review_wait', 'or wait longer with --timeout <duration>', 'or wait longer with timeout: <duration>'],
  ])('of %s: %s', (tool, hint, shown) => {
    expect(words.text(hint, toolNamed(tool))).toBe(shown);
  });

  it.each([
    ['a mark that opens no placeholder', 'plat review show <'],
    ['a mark behind a flag', 'plat review wait --timeout <'],
    ['full stops', `plat review show ${'.'.repeat(TEXT_LENGTH)}x`],
    ['quotes', 'plat review show "'],
    ['values of one flag', `plat exec gate-merge${' --source a'.repeat(TEXT_LENGTH / 11)}`],
  ])('is found in seconds in a text that a hostile platform wrote: %s', (_what, text) => {
    const { user } = process.cpuUsage();
    words.text(text.repeat(Math.ceil(TEXT_LENGTH / text.length)), toolNamed('review_wait'));
    expect(process.cpuUsage().user - user).toBeLessThan(1_500_000);
  });

  it('is found wherever a result has one; other texts stay as they are', () => {
    const own = toolNamed('status');
    const text = 'plat review list --here';
    const value = { name: text, next: text, items: [{ next: text, detail: text }], at: null, n: 1 };
    const shown = 'review_list with here: true';
    expect(words.value(value, own)).toEqual({
      name: text,
      next: shown,
      items: [{ next: shown, detail: text }],
      at: null,
      n: 1,
    });
    const failure = {
      code: 'X',
      message: 'Use --timeout.',
      details: { next: text, reviewId: text },
      exitCode: 1,
    };
    expect(words.value(failure, toolNamed('review_wait'))).toEqual({
      ...failure,
      message: 'Use timeout.',
      details: { next: shown, reviewId: text },
    });
  });
});
