import { NeverUsed, NothingThere } from '../parts/empty';
import { FilterForm } from '../parts/filter-form';
import { Link, QueueLink } from '../parts/link';
import { Page, Section } from '../parts/page';
import { Table } from '../parts/rows';
import { shellWord } from '../parts/shell-word';
import { Shown } from '../parts/shown';
import { counted, exactText, spanText } from '../parts/spans';
import { Ago, Name } from '../parts/text';
import { useReads } from '../parts/use-reads';
import { type NamedQueue, statusAddress } from '../queues/queue-address';
import { address, type ApiReader } from '../reads/api-reader';
import type { Durations, QueueStatistics, QueueStatus } from '../reads/shapes';
import { type Bar, Bars } from './bars';

const DAYS = ['7', '30', '90'] as const;
const DAY_MILLISECONDS = 86_400_000;

interface StatisticsPageProps {
  targetBranch?: string;
  repository?: string;
  days?: string;
}

/** Shows the outcomes of the reviews of a queue, and how long they took. */
export function StatisticsPage({ targetBranch, repository, days = '30' }: StatisticsPageProps) {
  if (targetBranch === undefined) {
    return (
      <Page title="Statistics">
        <p class="empty">
          The address names no target branch. <Link to={{ name: 'queues', query: {} }}>Queues</Link> lists
          those with reviews.
        </p>
      </Page>
    );
  }
  const queue = { targetBranch, repository };
  return (
    <Page title={`Statistics of ${targetBranch}`}>
      <p>
        <QueueLink {...queue} />
      </p>
      <FilterForm
        place="statistics"
        fields={[
          { key: 'targetBranch', label: 'Target branch', value: targetBranch },
          { key: 'repository', label: 'Repository', value: repository },
          { key: 'days', label: 'Days', value: days, options: DAYS },
        ]}
      />
      <Figures queue={queue} days={Number((DAYS as readonly string[]).includes(days) ? days : '30')} />
    </Page>
  );
}

interface FiguresContent {
  statistics: QueueStatistics;
  wasUsed: boolean;
}

function Figures({ queue, days }: { queue: NamedQueue; days: number }) {
  const reads = useReads<FiguresContent>((reader) => ({
    load: (signal) => readFigures(reader, { queue, days }, signal),
  }));
  return (
    <Shown reads={reads}>
      {({ statistics, wasUsed }) => {
        const isEmpty = Object.values(statistics.outcomes).every((count) => count === 0);
        if (!wasUsed) return <NeverOnTarget queue={queue} />;
        if (isEmpty) return <NothingThere>Nothing happened in this queue in these {days} days.</NothingThere>;
        return <Drawn statistics={statistics} />;
      }}
    </Shown>
  );
}

interface Asked {
  queue: NamedQueue;
  days: number;
}

async function readFigures(
  reader: ApiReader,
  { queue, days }: Asked,
  signal: AbortSignal,
): Promise<FiguresContent> {
  const until = new Date();
  const since = new Date(until.getTime() - days * DAY_MILLISECONDS);
  const asked = { ...queue, since: since.toISOString(), until: until.toISOString() };
  const [statistics, { version }] = await Promise.all([
    reader.get<QueueStatistics>(address('/v1/reviews/merge-queue/statistics', asked), signal),
    reader.get<QueueStatus>(statusAddress(queue), signal),
  ]);
  return { statistics, wasUsed: version > 0 };
}

function NeverOnTarget({ queue: { targetBranch } }: { queue: NamedQueue }) {
  return (
    <NeverUsed
      commands={[
        `plat review create --target-branch ${shellWord(targetBranch)}`,
        `plat drive --target-branch ${shellWord(targetBranch)}`,
      ]}
    >
      No review was ever proposed onto <Name text={targetBranch} />. In a checkout, on the branch to merge:
    </NeverUsed>
  );
}

const OUTCOMES: Readonly<Record<keyof QueueStatistics['outcomes'], string>> = {
  entered: 'Entered',
  promoted: 'Promoted',
  promotedByOverride: 'by override',
  merged: 'Merged',
  reconciled: 'Reconciled',
  gateFailed: 'Gate failed',
  buildFailed: 'Build failed',
  requeued: 'Requeued',
  closed: 'Closed',
};

function Drawn({ statistics }: { statistics: QueueStatistics }) {
  const { outcomes, readyToMerge, mergeToMerged, readyToMerged, since, until } = statistics;
  const counted = Object.entries(OUTCOMES).map(([key, label]): Bar => {
    const value = outcomes[key as keyof typeof OUTCOMES] ?? 0;
    return { label, value, text: String(value) };
  });
  return (
    <>
      <p>
        From {exactText(since)} to {exactText(until)}.
      </p>
      <Section title="Outcomes">
        <Bars title="Moves by what they did" bars={counted} />
      </Section>
      <Took title="From READY to MERGE" durations={readyToMerge} />
      <Took title="From MERGE to MERGED" durations={mergeToMerged} />
      <Took title="From READY to MERGED" durations={readyToMerged} />
      <Flaky steps={statistics.flakySteps} />
    </>
  );
}

function Took({ title, durations }: { title: string; durations: Durations }) {
  const { basis, meanSeconds, p50Seconds, p95Seconds } = durations;
  const bars = Object.entries({ Mean: meanSeconds, Median: p50Seconds, '95 of 100': p95Seconds }).flatMap(
    ([label, value]): Bar[] => (value === undefined ? [] : [{ label, value, text: spanText(value) }]),
  );
  return (
    <Section title={title}>
      {bars.length === 0 && <NothingThere>No merge through the queue in this time.</NothingThere>}
      {bars.length > 0 && (
        <>
          <Bars title={title} bars={bars} />
          <p>
            <small>Of {counted(basis, 'merge')}.</small>
          </p>
        </>
      )}
    </Section>
  );
}

function Flaky({ steps }: { steps: QueueStatistics['flakySteps'] }) {
  return (
    <Section title="Flaky steps">
      {steps.length === 0 && <NothingThere>No step failed that also passed on the same commit.</NothingThere>}
      <Table caption="Flaky steps" columns={['Step', 'Flaky runs', 'Failing runs', 'Last']} of={steps}>
        {(step) => (
          <tr key={step.failingStep}>
            <td>
              <Name text={step.failingStep} />
            </td>
            <td>{step.flakyRuns}</td>
            <td>{step.failingRuns}</td>
            <td>
              <Ago at={step.lastAt} /> {step.lastLogRef !== undefined && <Name text={step.lastLogRef} />}
            </td>
          </tr>
        )}
      </Table>
    </Section>
  );
}
