import { useState } from 'preact/hooks';
import { useApp } from '../app-context';
import { NeverUsed, NothingThere } from '../parts/empty';
import { QueueLink, ReviewLink } from '../parts/link';
import { Page, Section } from '../parts/page';
import { Rows } from '../parts/rows';
import { Shown } from '../parts/shown';
import { useReads } from '../parts/use-reads';
import { address, type ApiReader } from '../reads/api-reader';
import { orUndefined } from '../reads/read-failure';
import type { Review } from '../reads/shapes';
import { queueKey } from './queue-address';

const WAITING = '/v1/reviews/merge-queue';

interface Queue {
  key: string;
  first: Review;
  waiting: number;
  holder?: Review | undefined;
}

interface Queues {
  queues: Queue[];
  /** Reviews that are on no queue yet. */
  underWay: number;
  /** Whether a build was ever reported, or a review closed. */
  wasUsed: boolean;
}

/** Every queue in which a review waits or is merged, and the way to any other. */
export function QueuesPage() {
  const reads = useReads((reader) => ({
    load: (signal) => readQueues(reader, signal),
    awaitChange: (signal) => reader.awaitChange(WAITING, signal),
  }));
  return (
    <Page title="Queues">
      <Shown reads={reads}>
        {({ queues, underWay, wasUsed }) => (
          <>
            {queues.length === 0 && !wasUsed && (
              <NeverUsed
                commands={[
                  'plat review create --target-branch main',
                  'plat review record-build <review_id>',
                  'plat drive --target-branch main',
                ]}
              >
                No review has ever been proposed here. In a checkout, on the branch to merge:
              </NeverUsed>
            )}
            {queues.length === 0 && wasUsed && (
              <NothingThere>
                No review waits and none is being merged. {underWay} {underWay === 1 ? 'is' : 'are'} under
                way, without a green build.
              </NothingThere>
            )}
            <Rows of={queues} cards>
              {QueueCard}
            </Rows>
          </>
        )}
      </Shown>
      <OtherQueue />
    </Page>
  );
}

async function readQueues(reader: ApiReader, signal: AbortSignal): Promise<Queues> {
  const withStatus = (status: string): Promise<Review[]> =>
    reader.get<Review[]>(address('/v1/reviews', { status }), signal);
  const [waiting, holding] = await Promise.all([reader.get<Review[]>(WAITING, signal), withStatus('MERGE')]);
  const queues = new Map<string, Queue>();
  for (const review of [...holding, ...waiting]) {
    const key = queueKey(review);
    const queue = queues.get(key) ?? { key, first: review, waiting: 0 };
    if (review.status === 'MERGE') queue.holder = review;
    else queue.waiting += 1;
    queues.set(key, queue);
  }
  const sorted = [...queues.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  if (sorted.length > 0) return { queues: sorted, underWay: 0, wasUsed: true };
  const [open, failed, builds] = await Promise.all([
    withStatus('OPEN'),
    withStatus('FAILED'),
    orUndefined(reader.get<{ builds: unknown[] }>(address('/v1/builds', { limit: '1' }), signal)),
  ]);
  const underWay = open.length + failed.length;
  const wasUsed = underWay > 0 || builds?.builds.length !== 0 || (await withStatus('CLOSED')).length > 0;
  return { queues: [], underWay, wasUsed };
}

function QueueCard({ key, first, waiting, holder }: Queue) {
  return (
    <li key={key} class="card">
      <h2>
        <QueueLink {...first} />
      </h2>
      <p>{waiting === 1 ? 'One review waits.' : `${waiting} reviews wait.`}</p>
      <p>
        {holder === undefined ? (
          'The slot is free.'
        ) : (
          <>
            In the slot: <ReviewLink {...holder} />
          </>
        )}
      </p>
    </li>
  );
}

/** Leads to a queue by its name: one in which nothing waits is not listed. */
function OtherQueue() {
  const { go } = useApp();
  const [targetBranch, setTarget] = useState('');
  const [repository, setRepository] = useState('');
  const open = (event: Event): void => {
    event.preventDefault();
    if (targetBranch.trim() !== '') {
      go({ name: 'queue', query: { targetBranch: targetBranch.trim(), repository: repository.trim() } });
    }
  };
  return (
    <Section title="Another queue">
      <form onSubmit={open}>
        <label>
          Target branch{' '}
          <input required value={targetBranch} onInput={(event) => setTarget(event.currentTarget.value)} />
        </label>
        <label>
          Repository, if reviews of several go there{' '}
          <input value={repository} onInput={(event) => setRepository(event.currentTarget.value)} />
        </label>
        <button type="submit">Open the queue</button>
      </form>
    </Section>
  );
}
