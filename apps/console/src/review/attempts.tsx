import { Badge } from '../parts/badge';
import { NeverUsed } from '../parts/empty';
import { More, useLaterPages } from '../parts/later-pages';
import { Section } from '../parts/page';
import { PartList } from '../parts/part-list';
import { Rows } from '../parts/rows';
import { Ago, Commit, Lines, Name } from '../parts/text';
import type { Build, GateRun, GateRunPage, Release } from '../reads/shapes';
import { gateRunsAddress, type Part } from './read-review';

export function Builds({ reviewId, builds }: { reviewId: string; builds: Part<Build[]> }) {
  return (
    <Section title="Builds">
      <PartList
        rows={builds.content}
        failure={builds.failure}
        empty={
          <NeverUsed commands={[`plat review record-build ${reviewId}`]}>
            No build of it was reported.
          </NeverUsed>
        }
      >
        {(rows) => <Rows of={rows}>{BuildRow}</Rows>}
      </PartList>
    </Section>
  );
}

function BuildRow({ buildId, successful, kind, commitId, version, failureDetail, createdAt }: Build) {
  return (
    <li key={buildId}>
      <Badge word={successful ? 'success' : 'failure'} /> {kind} <Commit id={commitId} />
      {version !== undefined && (
        <>
          {' '}
          <Name text={version} />
        </>
      )}
      , <Ago at={createdAt} />
      {failureDetail !== undefined && <Lines text={failureDetail} />}
    </li>
  );
}

export function GateRuns({ reviewId, gateRuns }: { reviewId: string; gateRuns: Part<GateRunPage> }) {
  const { rows, more, fault } = useLaterPages<GateRun>(
    { rows: gateRuns.content?.gateRuns ?? [], nextCursor: gateRuns.content?.nextCursor },
    ({ gateRunId, verdict }) => gateRunId + verdict,
    async (reader, cursor) => {
      const page = await reader.get<GateRunPage>(
        gateRunsAddress(reviewId, cursor),
        new AbortController().signal,
      );
      return { rows: page.gateRuns, nextCursor: page.nextCursor };
    },
  );
  return (
    <Section title="Gate runs">
      <PartList
        rows={rows}
        failure={gateRuns.failure}
        empty={<NeverUsed commands={['plat drive']}>Its gate has not run.</NeverUsed>}
      >
        {(runs) => <Rows of={runs}>{GateRunRow}</Rows>}
      </PartList>
      <More more={more} fault={fault} />
    </Section>
  );
}

function GateRunRow({ gateRunId, verdict, failingStep, logRef, mergeCommit, holder, createdAt }: GateRun) {
  return (
    <li key={gateRunId}>
      <Badge word={verdict} /> {mergeCommit !== undefined && <Commit id={mergeCommit} />},{' '}
      <Ago at={createdAt} />
      {holder !== undefined && (
        <>
          {' '}
          by <Name text={holder} />
        </>
      )}
      {failingStep !== undefined && (
        <>
          <br />
          Failing step: <Name text={failingStep} />
        </>
      )}
      {logRef !== undefined && (
        <>
          <br />
          Log: <Name text={logRef} />
        </>
      )}
    </li>
  );
}

export function Releases({ releases }: { releases: Part<Release[]> }) {
  return (
    <Section title="Releases">
      <PartList
        rows={releases.content}
        failure={releases.failure}
        empty={
          <p class="empty" data-empty="nothing">
            It has no release. A merge through the queue gets one.
          </p>
        }
      >
        {(rows) => <Rows of={rows}>{ReleaseRow}</Rows>}
      </PartList>
    </Section>
  );
}

function ReleaseRow({ releaseId, status, version, commitId, attempt, failureReason, createdAt }: Release) {
  return (
    <li key={releaseId}>
      <Badge word={status} /> <Commit id={commitId} />
      {version !== undefined && (
        <>
          {' '}
          <Name text={version} />
        </>
      )}
      , attempt {attempt}, <Ago at={createdAt} />
      {failureReason !== undefined && <Lines text={failureReason} />}
    </li>
  );
}
