import { useRef } from 'preact/hooks';
import { useApp } from '../app-context';
import { Badge } from '../parts/badge';
import { Command } from '../parts/command';
import { Fact } from '../parts/fact';
import { QueueLink } from '../parts/link';
import { Page } from '../parts/page';
import { Shown } from '../parts/shown';
import { Ago, Name } from '../parts/text';
import { useReads } from '../parts/use-reads';
import { nextCommand } from '../yours/your-words';
import { Builds, GateRuns, Releases } from './attempts';
import { readReview, type ReviewContent, watchedOf } from './read-review';
import { Receipt } from './receipt';
import { Threads } from './threads';
import { Timeline } from './timeline';
import { UndoneNotice, UndoneWork } from './undone-work';

/** A review and all that happened to it. */
export function ReviewPage({ reviewId }: { reviewId: string }) {
  const { reader } = useApp();
  const watched = useRef(`/v1/reviews/${reviewId}`);
  const reads = useReads<ReviewContent>(() => ({
    load: async (signal) => {
      const content = await readReview(reader, reviewId, signal);
      watched.current = watchedOf(content.review);
      return content;
    },
    awaitChange: (signal) => reader.awaitChange(watched.current, signal),
  }));
  return (
    <Page title={reads.content?.review.name ?? 'Review'}>
      <Shown reads={reads}>
        {(content) => (
          <>
            <Head content={content} />
            <Timeline reviewId={reviewId} history={content.history} />
            <Threads reviewId={reviewId} comments={content.comments} />
            <Builds reviewId={reviewId} builds={content.builds} />
            <GateRuns reviewId={reviewId} gateRuns={content.gateRuns} />
            <Receipt review={content.review} receipt={content.receipt} />
            {content.receipt?.content && <UndoneWork work={content.receipt.content.undoneWork} />}
            <Releases releases={content.releases} />
          </>
        )}
      </Shown>
    </Page>
  );
}

function Head({ content: { review, receipt } }: { content: ReviewContent }) {
  const { usernameOf } = useApp();
  // The receipt is read after the review, and may have the later verdict.
  const verdict = receipt?.content?.contentVerdict ?? review.contentVerdict;
  return (
    <>
      {verdict === 'DIVERGENT' && (
        <p class="notice" role="alert">
          <Badge word="DIVERGENT" /> What landed is not what was reviewed; the receipt below says where.
        </p>
      )}
      {verdict === 'BY_HAND' && (
        <p>
          <Badge word="BY_HAND" /> No one has judged a part of what landed; the receipt below names each place
          to look at.
        </p>
      )}
      {receipt?.content && <UndoneNotice work={receipt.content.undoneWork} />}
      <p>
        <Badge word={review.status} /> <Name text={review.sourceBranch} /> onto <QueueLink {...review} />
      </p>
      <dl>
        <Fact term="Author">
          <Name text={usernameOf(review.authorUserId) ?? review.authorUserId} />
        </Fact>
        <Fact term="Created">
          <Ago at={review.createdAt} />
        </Fact>
        {review.issueRef !== undefined && (
          <Fact term="Issue">
            <Name text={review.issueRef} />
          </Fact>
        )}
        <Fact term="Id">
          <code>{review.reviewId}</code>
        </Fact>
      </dl>
      {review.status !== 'CLOSED' && <Command text={nextCommand({ review })} />}
    </>
  );
}
