import { useApp } from '../app-context';
import { DivergentLandings } from '../parts/divergent';
import { NeverUsed, NothingThere } from '../parts/empty';
import { Link, QueueLink, ReviewLink } from '../parts/link';
import { Page, Section } from '../parts/page';
import { Rows } from '../parts/rows';
import { shellWord } from '../parts/shell-word';
import { Shown } from '../parts/shown';
import { Ago, Name } from '../parts/text';
import { useNow } from '../parts/use-now';
import { useReads } from '../parts/use-reads';
import { address, type ApiReader } from '../reads/api-reader';
import { orUndefined, type ReadFailure } from '../reads/read-failure';
import type { QueueEntry, QueueStatus, Review } from '../reads/shapes';
import { Landings } from './landings';
import { type NamedQueue, statusAddress } from './queue-address';
import { estimateText } from './queue-words';
import { readQueue } from './read-queue';
import { SlotCard } from './slot-card';

interface QueueContent {
  status: QueueStatus;
  /** Reviews onto this target that have no green build; absent while others wait. */
  open?: number | undefined;
  failed?: number | undefined;
}

/** The queue of a (repository, target branch): its slot, its line, and what landed last. */
export function QueuePage({ targetBranch, repository }: { targetBranch?: string; repository?: string }) {
  if (targetBranch === undefined) return <NoTarget />;
  const queue = { targetBranch, repository };
  return (
    <Page title={`Queue of ${targetBranch}`}>
      {repository !== undefined && (
        <p>
          <Name text={repository} />
        </p>
      )}
      <p>
        <Link to={{ name: 'statistics', query: { targetBranch, repository: repository ?? '' } }}>
          Statistics
        </Link>
      </p>
      <Line queue={queue} />
    </Page>
  );
}

function Line({ queue }: { queue: NamedQueue }) {
  const { reader } = useApp();
  const reads = useReads<QueueContent>(() => ({
    load: (signal) => readContent(reader, queue, signal),
    awaitChange: (signal) => reader.awaitChange(statusAddress(queue), signal),
    confirms: true,
  }));
  if (reads.failure?.facts.code === 'MERGE_QUEUE_AMBIGUOUS') {
    return <Ambiguous queue={queue} failure={reads.failure} />;
  }
  return (
    <Shown reads={reads}>
      {({ status, open = 0, failed = 0 }) => (
        <>
          <DivergentLandings landings={status.divergent ?? []} />
          {status.version === 0 ? <NeverOnTarget queue={queue} /> : <SlotCard status={status} />}
          {status.version > 0 && (
            <Section title="In line">
              {status.entries.length === 0 && (
                <NothingThere>
                  No review is READY. {open} {open === 1 ? 'waits' : 'wait'} for a green build, {failed}{' '}
                  {failed === 1 ? 'has' : 'have'} failed.
                </NothingThere>
              )}
              <Rows of={status.entries} ordered>
                {(entry) => <Entry key={entry.reviewId} entry={entry} />}
              </Rows>
              {status.nextCursor !== undefined && <p>More wait behind these.</p>}
            </Section>
          )}
          <Landings key={status.slot.review?.reviewId ?? 'free'} queue={queue} />
        </>
      )}
    </Shown>
  );
}

async function readContent(reader: ApiReader, queue: NamedQueue, signal: AbortSignal): Promise<QueueContent> {
  const status = await readQueue(reader, queue, signal);
  if (status.entries.length > 0) return { status };
  const count = async (wanted: string): Promise<number | undefined> =>
    (await orUndefined(reader.get<Review[]>(address('/v1/reviews', { ...queue, status: wanted }), signal)))
      ?.length;
  const [open, failed] = await Promise.all([count('OPEN'), count('FAILED')]);
  return { status, open, failed };
}

function Entry({ entry }: { entry: QueueEntry }) {
  const now = useNow();
  const { usernameOf } = useApp();
  const author = usernameOf(entry.authorUserId);
  const { blockedBy } = entry;
  return (
    <li value={entry.position}>
      <ReviewLink {...entry} /> <Name text={entry.sourceBranch} />
      {author !== undefined && (
        <>
          {' '}
          by <Name text={author} />
        </>
      )}
      , since <Ago at={entry.since} />
      <br />
      {blockedBy !== undefined && (
        <strong>
          Blocked by {blockedBy.openThreads} open {blockedBy.openThreads === 1 ? 'thread' : 'threads'}.{' '}
        </strong>
      )}
      <small>Merged by: {estimateText(entry.estimate, now)}</small>
    </li>
  );
}

function NeverOnTarget({ queue: { targetBranch } }: { queue: NamedQueue }) {
  return (
    <NeverUsed
      commands={[
        `plat review create --target-branch ${shellWord(targetBranch)}`,
        'plat review record-build <review_id>',
        `plat drive --target-branch ${shellWord(targetBranch)}`,
      ]}
    >
      No review was ever proposed onto <Name text={targetBranch} />. In a checkout, on the branch to merge:
    </NeverUsed>
  );
}

/** Reviews of several repositories go to this target; the address names none. */
function Ambiguous({ queue, failure }: { queue: NamedQueue; failure: ReadFailure }) {
  const { repositories = [] } = (failure.facts.details ?? {}) as { repositories?: string[] };
  return (
    <>
      <p>{failure.message}</p>
      <Rows of={repositories}>
        {(repository) => (
          <li key={repository}>
            <QueueLink targetBranch={queue.targetBranch} repository={repository} />
          </li>
        )}
      </Rows>
    </>
  );
}

function NoTarget() {
  return (
    <Page title="Queue">
      <p class="empty">
        The address names no target branch. <Link to={{ name: 'queues', query: {} }}>Queues</Link> lists those
        with reviews.
      </p>
    </Page>
  );
}
