import type { ComponentChildren } from 'preact';
import { NotPermitted } from './empty';
import { secondsSince } from './spans';
import { useNow } from './use-now';
import type { ReadsInUse } from './use-reads';

/** An answer is old after this time, if nothing has confirmed it. */
const OLD_SECONDS = 180;

interface ShownProps<Content> {
  reads: ReadsInUse<Content>;
  children(content: Content): ComponentChildren;
}

/** Shows the content of a place as soon as there is one, and how old it is. */
export function Shown<Content>({ reads, children }: ShownProps<Content>) {
  const { content, failure } = reads;
  if (failure?.kind === 'forbidden') return <NotPermitted route={failure.facts.route} />;
  if (failure?.kind === 'not-found') return <p class="empty">{failure.message}</p>;
  return (
    <>
      <AsOf reads={reads} />
      {content === undefined ? failure === undefined && <p class="empty">Reading …</p> : children(content)}
    </>
  );
}

/** Shows when the content was last confirmed, with a warning if that is long ago or the last attempt failed. */
function AsOf({ reads: { asOf, failure, again } }: { reads: ReadsInUse<unknown> }) {
  const now = useNow();
  const isOld = asOf !== undefined && secondsSince(asOf.toISOString(), now) > OLD_SECONDS;
  return (
    <p class="as-of">
      {asOf !== undefined && (
        <>
          As of <time dateTime={asOf.toISOString()}>{asOf.toLocaleTimeString()}</time>{' '}
        </>
      )}
      <span role="status">
        {failure !== undefined && <strong class="stale">Not up to date: {failure.message}</strong>}
        {failure === undefined && isOld && <strong class="stale">Not up to date</strong>}
      </span>{' '}
      <button type="button" onClick={again}>
        Read again
      </button>
    </p>
  );
}
