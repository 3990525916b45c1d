import { Badge } from '../parts/badge';
import { NeverUsed, NothingThere } from '../parts/empty';
import { FilterForm } from '../parts/filter-form';
import { More, useLaterPages } from '../parts/later-pages';
import { ReviewLink } from '../parts/link';
import { Page } from '../parts/page';
import { Table } from '../parts/rows';
import { Shown } from '../parts/shown';
import { Ago, Name } from '../parts/text';
import { useReads } from '../parts/use-reads';
import { address } from '../reads/api-reader';
import type { GateRun, GateRunPage } from '../reads/shapes';

const VERDICTS = ['RUNNING', 'PASSED', 'FAILED', 'INCONCLUSIVE'] as const;
const PAGE_SIZE = '100';

interface GateRunsPageProps {
  targetBranch?: string;
  status?: string;
}

/** Reported attempts of the gate, newest first. */
export function GateRunsPage(query: GateRunsPageProps) {
  const { targetBranch, status } = query;
  const reads = useReads((reader) => ({
    load: (signal) => reader.get<GateRunPage>(pageAddress(query), signal),
  }));
  const isNarrowed = targetBranch !== undefined || status !== undefined;
  return (
    <Page title="Gate runs">
      <FilterForm
        place="gate-runs"
        fields={[
          { key: 'targetBranch', label: 'Target branch', value: targetBranch },
          { key: 'status', label: 'Verdict', value: status, options: VERDICTS },
        ]}
      />
      <Shown reads={reads}>
        {(first) => (
          <>
            {first.gateRuns.length === 0 && isNarrowed && (
              <NothingThere>No gate run is like that.</NothingThere>
            )}
            {first.gateRuns.length === 0 && !isNarrowed && (
              <NeverUsed commands={['plat drive --target-branch main', 'plat exec gate-run start --help']}>
                No gate has run. The drive gates the head of a queue, and reports it:
              </NeverUsed>
            )}
            <GateRunTable first={first} query={query} />
          </>
        )}
      </Shown>
    </Page>
  );
}

const pageAddress = ({ targetBranch, status }: GateRunsPageProps, cursor?: string): string =>
  address('/v1/gate-runs', { targetBranch, status, limit: PAGE_SIZE, cursor });

function GateRunTable({ first, query }: { first: GateRunPage; query: GateRunsPageProps }) {
  const { rows, more, fault } = useLaterPages<GateRun>(
    { rows: first.gateRuns, nextCursor: first.nextCursor },
    ({ gateRunId, verdict }) => gateRunId + verdict,
    async (reader, cursor) => {
      const page = await reader.get<GateRunPage>(pageAddress(query, cursor), new AbortController().signal);
      return { rows: page.gateRuns, nextCursor: page.nextCursor };
    },
  );
  return (
    <>
      <Table
        caption="Gate runs"
        columns={['Verdict', 'Branch', 'Target', 'Review', 'Failing step and log', 'Began']}
        of={rows}
      >
        {GateRunRow}
      </Table>
      <More more={more} fault={fault} />
    </>
  );
}

function GateRunRow(run: GateRun) {
  return (
    <tr key={run.gateRunId}>
      <td>
        <Badge word={run.verdict} />
      </td>
      <td>
        <Name text={run.sourceBranch} />
      </td>
      <td>
        <Name text={run.targetBranch} />
      </td>
      <td>
        {run.reviewId !== undefined && (
          <ReviewLink reviewId={run.reviewId} name={run.reviewName ?? run.reviewId} />
        )}
      </td>
      <td>
        {run.failingStep !== undefined && <Name text={run.failingStep} />}{' '}
        {run.logRef !== undefined && <Name text={run.logRef} />}
      </td>
      <td>
        <Ago at={run.createdAt} />
      </td>
    </tr>
  );
}
