import { Badge } from './badge';
import { ReviewLink } from './link';
import { Ago } from './text';

interface Landing {
  reviewId: string;
  name: string;
  landedAt: string;
}

/** Warns at the top of a page that the landed content is not the reviewed content. */
export function DivergentLandings({ landings }: { landings: readonly Landing[] }) {
  if (landings.length === 0) return null;
  return (
    <div class="notice" role="alert">
      <p>
        <Badge word="DIVERGENT" /> What landed is not what was reviewed:
      </p>
      <ul class="plain">
        {landings.map((landing) => (
          <li key={landing.reviewId}>
            <ReviewLink {...landing} />, merged <Ago at={landing.landedAt} />
          </li>
        ))}
      </ul>
    </div>
  );
}
