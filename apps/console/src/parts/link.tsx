import type { ComponentChildren } from 'preact';
import { addressOf, type Place } from '@plat/console/places';
import { useApp } from '../app-context';
import { Name } from './text';

interface LinkProps {
  to: Place;
  current?: boolean;
  children: ComponentChildren;
}

/** A link to a place. It has the place's address, so it can be copied and opened elsewhere; a plain click loads nothing. */
export function Link({ to, current, children }: LinkProps) {
  const { go } = useApp();
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={addressOf(to)} onClick={follow} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  );
}

/** A review by its name. */
export function ReviewLink({ reviewId, name }: { reviewId: string; name: string }) {
  return (
    <Link to={{ name: 'review', reviewId, query: {} }}>
      <Name text={name} />
    </Link>
  );
}

/** The queue of a target branch. */
export function QueueLink({
  targetBranch,
  repository,
}: {
  targetBranch: string;
  repository?: string | undefined;
}) {
  return (
    <Link to={{ name: 'queue', query: { targetBranch, repository: repository ?? '' } }}>
      <Name text={targetBranch} />
      {repository !== undefined && (
        <>
          {' '}
          <small>
            <Name text={repository} />
          </small>
        </>
      )}
    </Link>
  );
}
