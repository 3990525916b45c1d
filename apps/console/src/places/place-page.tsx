import type { Place } from '@plat/console/places';
import { AuditPage } from '../audit/audit-page';
import { GateRunsPage } from '../gate-runs/gate-runs-page';
import { Link } from '../parts/link';
import { Page } from '../parts/page';
import { QueuePage } from '../queues/queue-page';
import { QueuesPage } from '../queues/queues-page';
import type { ReadFailure } from '../reads/read-failure';
import { ReleasesPage } from '../releases/releases-page';
import { ReviewPage } from '../review/review-page';
import { StatisticsPage } from '../statistics/statistics-page';
import { YoursPage } from '../yours/yours-page';

interface PlacePageProps {
  place: Place | undefined;
  /** Why it is not known who has signed in. */
  whoFailure?: ReadFailure | undefined;
}

/** The page of a place. */
export function PlacePage({ place, whoFailure }: PlacePageProps) {
  switch (place?.name) {
    case undefined:
      return <NoSuchPlace />;
    case 'yours':
      return <YoursPage whoFailure={whoFailure} />;
    case 'queues':
      return <QueuesPage />;
    case 'queue':
      return <QueuePage {...place.query} />;
    case 'statistics':
      return <StatisticsPage {...place.query} />;
    case 'review':
      return <ReviewPage reviewId={place.reviewId!} />;
    case 'releases':
      return <ReleasesPage {...place.query} />;
    case 'gate-runs':
      return <GateRunsPage {...place.query} />;
    case 'audit':
      return <AuditPage query={place.query} />;
  }
}

function NoSuchPlace() {
  return (
    <Page title="No such page">
      <p class="empty">
        The console has no page at this address. <Link to={{ name: 'yours', query: {} }}>Yours</Link> is the
        first one.
      </p>
    </Page>
  );
}
