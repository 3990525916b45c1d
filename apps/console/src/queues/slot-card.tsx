import { Badge } from '../parts/badge';
import { Command } from '../parts/command';
import { Fact } from '../parts/fact';
import { ReviewLink } from '../parts/link';
import { secondsSince, spanText } from '../parts/spans';
import { Name } from '../parts/text';
import { useNow } from '../parts/use-now';
import type { QueueStatus } from '../reads/shapes';
import { activityText, estimateText, paceText, slotCommand } from './queue-words';

/** The slot: who has it, for how long compared with what is usual here, and why it is late. */
export function SlotCard({ status }: { status: QueueStatus }) {
  const now = useNow();
  const { slot, pace } = status;
  const { review, since, health, cause, estimate } = slot;
  const command = slotCommand(status);
  return (
    <section class={`card slot ${health}`} aria-label="The slot">
      <h2>{review === undefined ? 'The slot is free' : <ReviewLink {...review} />}</h2>
      <p>
        <Badge word={health} /> {activityText(slot.activity)}
        {review !== undefined && (
          <>
            {' '}
            <Name text={review.sourceBranch} />
          </>
        )}
      </p>
      <dl>
        {since !== undefined && (
          <Fact term={review === undefined ? 'Free for' : 'In the slot for'}>
            {spanText(secondsSince(since, now))}; {paceText(pace)}
          </Fact>
        )}
        {cause !== undefined && <Fact term={`${health} because`}>{activityText(cause)}</Fact>}
        {slot.gateRunSince !== undefined && (
          <Fact term="Gate run">since {spanText(secondsSince(slot.gateRunSince, now))}</Fact>
        )}
        {estimate !== undefined && <Fact term="Merged by">{estimateText(estimate, now)}</Fact>}
      </dl>
      {command !== undefined && <Command text={command} />}
    </section>
  );
}
