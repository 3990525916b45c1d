import { Badge } from '../parts/badge';
import { NeverUsed, NothingThere } from '../parts/empty';
import { FilterForm } from '../parts/filter-form';
import { Link } from '../parts/link';
import { Page } from '../parts/page';
import { Table } from '../parts/rows';
import { Shown } from '../parts/shown';
import { Ago, Commit, Name } from '../parts/text';
import { useReads } from '../parts/use-reads';
import { address } from '../reads/api-reader';
import type { Release } from '../reads/shapes';

const STATUSES = ['queued', 'running', 'released', 'failed'] as const;

interface ReleasesPageProps {
  targetBranch?: string;
  status?: string;
}

/** The release queue, newest first. */
export function ReleasesPage({ targetBranch, status }: ReleasesPageProps) {
  const reads = useReads((reader) => ({
    load: (signal) => reader.get<Release[]>(address('/v1/releases', { targetBranch, status }), signal),
  }));
  const isNarrowed = targetBranch !== undefined || status !== undefined;
  return (
    <Page title="Releases">
      <FilterForm
        place="releases"
        fields={[
          { key: 'targetBranch', label: 'Target branch', value: targetBranch },
          { key: 'status', label: 'Status', value: status, options: STATUSES },
        ]}
      />
      <Shown reads={reads}>
        {(releases) => (
          <>
            {releases.length === 0 && isNarrowed && <NothingThere>No release is like that.</NothingThere>}
            {releases.length === 0 && !isNarrowed && (
              <NeverUsed commands={['plat drive --target-branch main']}>
                Nothing has been released. A merge through the queue gets a release:
              </NeverUsed>
            )}
            <Table
              caption="Releases"
              columns={['Status', 'Target', 'Commit', 'Version', 'Review', 'Created']}
              of={releases}
            >
              {ReleaseRow}
            </Table>
          </>
        )}
      </Shown>
    </Page>
  );
}

function ReleaseRow({
  releaseId,
  status,
  targetBranch,
  commitId,
  version,
  reviewId,
  createdAt,
  ...rest
}: Release) {
  return (
    <tr key={releaseId}>
      <td>
        <Badge word={status} />
        {rest.failureReason !== undefined && (
          <>
            {' '}
            <Name text={rest.failureReason} />
          </>
        )}
      </td>
      <td>
        <Name text={targetBranch} />
      </td>
      <td>
        <Commit id={commitId} />
      </td>
      <td>{version !== undefined && <Name text={version} />}</td>
      <td>
        {reviewId !== undefined && (
          <Link to={{ name: 'review', reviewId, query: {} }}>
            <code>{reviewId.slice(0, 8)}</code>
          </Link>
        )}
      </td>
      <td>
        <Ago at={createdAt} />
      </td>
    </tr>
  );
}
