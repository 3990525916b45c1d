import { Badge } from '../parts/badge';
import { Command } from '../parts/command';
import { More, useLaterPages } from '../parts/later-pages';
import { Section } from '../parts/page';
import { PartList } from '../parts/part-list';
import { exactText } from '../parts/spans';
import { Ago, Name } from '../parts/text';
import type { ReviewEvent, ReviewHistory } from '../reads/shapes';
import { moveText } from '../yours/your-words';
import { historyAddress, type Part } from './read-review';

/** Every move, newest first, with who made it and why. */
export function Timeline({ reviewId, history }: { reviewId: string; history: Part<ReviewHistory> }) {
  const { events = [], nextCursor } = history.content ?? {};
  const { rows, more, fault } = useLaterPages<ReviewEvent>(
    { rows: events, nextCursor },
    ({ at, cause }) => `${at} ${cause}`,
    async (reader, cursor) => {
      const page = await reader.get<ReviewHistory>(
        historyAddress(reviewId, cursor),
        new AbortController().signal,
      );
      return { rows: page.events, nextCursor: page.nextCursor };
    },
  );
  return (
    <Section title="What happened">
      <PartList rows={rows} failure={history.failure} empty={<p class="empty">No move is recorded.</p>}>
        {(moves) => (
          <ol class="timeline" reversed>
            {moves.map((move) => (
              <Move key={`${move.at} ${move.cause} ${move.queueVersion ?? ''}`} move={move} />
            ))}
          </ol>
        )}
      </PartList>
      <More more={more} fault={fault} />
      <Command text={`plat review why ${reviewId}`} />
    </Section>
  );
}

function Move({ move }: { move: ReviewEvent }) {
  const { at, to, actorUsername, buildId, reason } = move;
  return (
    <li>
      <Badge word={to} /> {moveText(move)}, by <Name text={actorUsername} />, <Ago at={at} />{' '}
      <small>({exactText(at)})</small>
      {reason !== undefined && (
        <>
          <br />
          Reason: <Name text={reason} />
        </>
      )}
      {buildId !== undefined && (
        <>
          <br />
          <small>
            Build <code>{buildId}</code>
          </small>
        </>
      )}
    </li>
  );
}
