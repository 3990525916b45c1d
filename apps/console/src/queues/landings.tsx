import { Badge } from '../parts/badge';
import { Command } from '../parts/command';
import { NothingThere } from '../parts/empty';
import { ReviewLink } from '../parts/link';
import { Section } from '../parts/page';
import { Shown } from '../parts/shown';
import { Ago, Commit } from '../parts/text';
import { useReads } from '../parts/use-reads';
import { address, type ApiReader } from '../reads/api-reader';
import { orUndefined } from '../reads/read-failure';
import type { MergeReceipt, Review } from '../reads/shapes';
import type { NamedQueue } from './queue-address';

const SHOWN_MAX = 5;

interface Landing {
  review: Review;
  /** Absent if there is none, or the caller may not read it. */
  receipt?: MergeReceipt | undefined;
}

/**
 * Shows the last landings on this target and the verdict on their content. They are read again when another review
 * takes the slot.
 */
export function Landings({ queue }: { queue: NamedQueue }) {
  const reads = useReads<Landing[]>((reader) => ({
    load: (signal) => readLandings(reader, queue, signal),
    repeats: false,
  }));
  return (
    <Section title="Last landings">
      <Shown reads={reads}>
        {(landings) => (
          <>
            {landings.length === 0 && <NothingThere>Nothing has landed on this target yet.</NothingThere>}
            <ul class="cards">{landings.map(LandingCard)}</ul>
          </>
        )}
      </Shown>
    </Section>
  );
}

async function readLandings(reader: ApiReader, queue: NamedQueue, signal: AbortSignal): Promise<Landing[]> {
  const merged = await reader.get<Review[]>(address('/v1/reviews', { ...queue, status: 'MERGED' }), signal);
  const last = merged.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1)).slice(0, SHOWN_MAX);
  return Promise.all(
    last.map(async (review) => {
      const path = `/v1/reviews/${review.reviewId}/merge-receipt`;
      return { review, receipt: await orUndefined(reader.get<MergeReceipt>(path, signal)) };
    }),
  );
}

function LandingCard({ review, receipt }: Landing) {
  return (
    <li key={review.reviewId} class="card">
      <h3>
        <ReviewLink {...review} />
      </h3>
      <p>
        <Ago at={receipt?.verifiedAt ?? review.updatedAt} />{' '}
        {receipt === undefined ? 'without a receipt' : <Badge word={receipt.contentVerdict} />}{' '}
        {receipt?.contentReason !== undefined && <code>{receipt.contentReason}</code>}{' '}
        {receipt?.commitId !== undefined && <Commit id={receipt.commitId} />}
      </p>
      {receipt !== undefined && <Command text={`plat review verify ${review.reviewId}`} />}
    </li>
  );
}
