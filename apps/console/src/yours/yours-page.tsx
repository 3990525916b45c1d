import { useMemo } from 'preact/hooks';
import { useApp } from '../app-context';
import { Badge } from '../parts/badge';
import { Command } from '../parts/command';
import { NeverUsed, NothingThere, NotPermitted } from '../parts/empty';
import { Fact } from '../parts/fact';
import { QueueLink, ReviewLink } from '../parts/link';
import { Page, Section } from '../parts/page';
import { Rows } from '../parts/rows';
import { Shown } from '../parts/shown';
import { Ago, Name } from '../parts/text';
import { useNow } from '../parts/use-now';
import { useReads } from '../parts/use-reads';
import { estimateText } from '../queues/queue-words';
import type { ReadFailure } from '../reads/read-failure';
import type { Review } from '../reads/shapes';
import { type YourReview, type Yours, YoursReader } from './read-yours';
import { entryOf, moveText, namesAhead, nextCommand, waitsFor } from './your-words';

const AHEAD_SHOWN = 3;

/** Your reviews: where each is, what it waits for, and what to do next. */
export function YoursPage({ whoFailure }: { whoFailure?: ReadFailure | undefined }) {
  const { me } = useApp();
  return (
    <Page title="Yours">
      {me !== undefined && <YourReviews userId={me.userId} />}
      {me === undefined && whoFailure?.kind === 'forbidden' && <NotPermitted route="GET /v1/whoami" />}
      {me === undefined && whoFailure?.kind !== 'forbidden' && (
        <p class="empty" role="status">
          {whoFailure?.message ?? 'Reading who you are …'}
        </p>
      )}
    </Page>
  );
}

function YourReviews({ userId }: { userId: string }) {
  const { reader } = useApp();
  const yours = useMemo(() => new YoursReader(reader, userId), [reader, userId]);
  const reads = useReads<Yours>(() => ({
    load: (signal, early) => yours.load(signal, early),
    awaitChange: async (signal) => {
      const { worthAWait } = yours;
      return worthAWait !== undefined && reader.awaitChange(worthAWait, signal);
    },
  }));
  return (
    <Shown reads={reads}>
      {({ live, past, count }) => (
        <>
          {count === 0 && <NoReviews />}
          {count > 0 && live.length === 0 && (
            <NothingThere>None of your reviews is on its way: all are merged or closed.</NothingThere>
          )}
          <Rows of={live} ordered cards>
            {(your) => <Card key={your.review.reviewId} your={your} />}
          </Rows>
          {past.length > 0 && (
            <Section title="Merged and closed">
              <ul class="plain">{past.map(PastReview)}</ul>
            </Section>
          )}
        </>
      )}
    </Shown>
  );
}

function NoReviews() {
  return (
    <NeverUsed
      commands={[
        'plat review create --target-branch main',
        'plat review record-build <review_id>',
        'plat review wait <review_id>',
      ]}
    >
      You have proposed nothing yet. In a checkout, on the branch to merge:
    </NeverUsed>
  );
}

function Card({ your }: { your: YourReview }) {
  const { review, last, reason } = your;
  return (
    <li class="card">
      <h2>
        <ReviewLink {...review} />
      </h2>
      <p>
        <Badge word={review.status} /> <Name text={review.sourceBranch} /> onto <QueueLink {...review} />
      </p>
      <dl>
        <Turn your={your} />
        <Fact term="Waits for">{waitsFor(your)}</Fact>
        {last !== undefined && (
          <Fact term="Last">
            {moveText(last)}, by <Name text={last.actorUsername} />, <Ago at={last.at} />
            {reason !== undefined && (
              <>
                : <Name text={reason} />
              </>
            )}
          </Fact>
        )}
      </dl>
      <Command text={nextCommand(your)} />
    </li>
  );
}

/** Position, who is ahead and when; nothing for a review that is in no queue. */
function Turn({ your }: { your: YourReview }) {
  const now = useNow();
  const entry = entryOf(your);
  const { review, queue } = your;
  if (queue === undefined) return null;
  if (entry === undefined) {
    const estimate = review.status === 'MERGE' ? queue.slot.estimate : undefined;
    return estimate === undefined ? null : <Fact term="Merged by">{estimateText(estimate, now)}</Fact>;
  }
  const ahead = namesAhead(your);
  return (
    <>
      <Fact term="Position">
        {entry.position} of {queue.entries.length}
        {queue.nextCursor === undefined ? '' : ' or more'}
      </Fact>
      <Fact term="Ahead">
        {ahead.length === 0 && 'no other review'}
        {ahead.slice(0, AHEAD_SHOWN).map(({ reviewId, name }, n) => (
          <>
            {n > 0 && ', '}
            <ReviewLink reviewId={reviewId} name={name} />
          </>
        ))}
        {ahead.length > AHEAD_SHOWN && ` and ${ahead.length - AHEAD_SHOWN} more`}
      </Fact>
      <Fact term="Merged by">{estimateText(entry.estimate, now)}</Fact>
    </>
  );
}

function PastReview(review: Review) {
  return (
    <li key={review.reviewId}>
      <Badge word={review.status} />{' '}
      {(review.contentVerdict === 'DIVERGENT' || review.contentVerdict === 'BY_HAND') && (
        <>
          <Badge word={review.contentVerdict} />{' '}
        </>
      )}
      <ReviewLink {...review} />, <Ago at={review.updatedAt} />
    </li>
  );
}
