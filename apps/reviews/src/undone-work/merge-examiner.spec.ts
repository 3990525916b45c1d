import type { Database } from '@plat/database';
import type { Caller, Log } from '@plat/service';
import type { MergeVerification } from '../merge-verifications/merge-verification';
import { MergeExaminer } from './merge-examiner';
import type { DueMergeRow, ExaminedWork } from './undone-work.queries';

const CALLER = { tenantId: 't', requestId: 'r' } as Caller;
const WINDOW = { landings: 1, isComplete: true };

/** An examiner over merges that are due, of which one may be refused by the database. */
function examinerOf(due: DueMergeRow[], { refused }: { refused?: string } = {}) {
  const open = [...due];
  const stored = new Map<string, ExaminedWork>();
  const logged: unknown[] = [];
  let done: () => void;
  const idle = new Promise<void>((resolve) => (done = resolve));
  const call = (_scope: unknown, { name, args }: { name: string; args: unknown[] }) => {
    if (name === 'reviews.due_undone_work') return Promise.resolve(open.slice(0, args[0] as number));
    if (name === 'reviews.landings_of_commits') return Promise.resolve([]);
    const [id, work] = args as [string, string];
    if (id === refused) return Promise.reject(new Error('refused'));
    stored.set(id, JSON.parse(work) as ExaminedWork);
    open.splice(
      open.findIndex(({ review_id: of }) => of === id),
      1,
    );
    if (open.length === (refused === undefined ? 0 : 1)) setImmediate(done);
    return Promise.resolve([{ review_id: id }]);
  };
  const findings = [
    { commitId: 'a'.repeat(40), path: `${'x'.repeat(299)}\ud83d`, kind: 'deleted', certainty: 'sure' },
  ];
  const found = { findings, revertedIds: [], revertLines: [], window: WINDOW };
  const merges = { findUndoneWork: () => Promise.resolve(found), countExamined: () => undefined };
  const log = { warn: () => undefined, error: (line: unknown) => logged.push(line) };
  const examiner = new MergeExaminer(
    { call } as unknown as Database,
    merges as unknown as MergeVerification,
    log as unknown as Log,
  );
  return { examiner, stored, logged, idle };
}

const dueMerges = (count: number): DueMergeRow[] =>
  Array.from({ length: count }, (_, index) => ({
    review_id: `${index}`,
    age_ms: 0,
    repository: 'https://git.example/r',
    remote_url: 'https://git.example/r',
    commit_id: 'b'.repeat(40),
    source_tip: 'c'.repeat(40),
    texts: [],
  }));

describe('the examiner of merges', () => {
  it('examines all that are due, however many they are', async () => {
    const { examiner, stored, idle } = examinerOf(dueMerges(11));
    examiner.schedule(CALLER);
    await idle;
    expect(stored.size).toBe(11);
  });

  it('goes on after one that cannot be stored, and logs it', async () => {
    const { examiner, stored, logged, idle } = examinerOf(dueMerges(3), { refused: '0' });
    examiner.schedule(CALLER);
    await idle;
    expect([...stored.keys()]).toEqual(['1', '2']);
    expect(logged).toEqual([expect.objectContaining({ reviewId: '0' })]);
    await examiner.onApplicationShutdown();
  });

  it('stores no half of a character, which the database refuses', async () => {
    const { examiner, stored, idle } = examinerOf(dueMerges(1));
    examiner.schedule(CALLER);
    await idle;
    expect(stored.get('0')?.findings?.[0]?.path).toBe('x'.repeat(299));
  });
});
