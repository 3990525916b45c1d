import { ReviewLink } from '../parts/link';
import { Section } from '../parts/page';
import { Commit, Name } from '../parts/text';
import type { MergeReceipt } from '../reads/shapes';

type Work = MergeReceipt['undoneWork'];
type Place = Work['findings'][number];

const WAYS: Readonly<Record<string, string>> = {
  dropped_by_merge: 'lost in a merge of the target, outside of any conflict',
  dropped_in_conflict: 'lost in the conflict of a merge',
  dropped_by_landing: 'lost in the landing itself',
  restored: 'back to the state before',
  deleted: 'removed',
};

/** The work of earlier landings that a merge took back, and the places at which later ones took back its own. */
export function UndoneWork({ work }: { work: Work }) {
  const { findings, findingsLeftOut = 0, reverts, undoneBy, revertedBy } = work;
  return (
    <Section title="Work taken back">
      <p>{stateOf(work)}</p>
      <Landings head="It took back work of" places={findings} />
      {findingsLeftOut > 0 && <p>{findingsLeftOut} more places.</p>}
      <Landings head="It reverted, as it says," places={reverts} />
      <Landings head="Taken back in part by" places={undoneBy} />
      <Landings head="Reverted in part by" places={revertedBy} />
    </Section>
  );
}

/** Announces work that is probably lost, in either direction. */
export function UndoneNotice({ work: { findings, undoneBy } }: { work: Work }) {
  const announced = [
    { head: 'It took back work of', place: findings.find(isProbable) },
    { head: 'Taken back in part by', place: undoneBy.find(isProbable) },
  ];
  return (
    <>
      {announced.map(
        ({ head, place }) =>
          place && (
            <p class="notice" role="alert" key={head}>
              {head} <Landing {...place} />: see the places below.
            </p>
          ),
      )}
    </>
  );
}

const isProbable = ({ certainty }: Place): boolean => certainty !== 'possible';

function stateOf({ examinedAt, unknown, findings, reverts, window }: Work): string {
  if (unknown !== undefined) {
    return `It could not be compared with the landings before it: ${unknown}.`;
  }
  if (examinedAt === undefined || window === undefined) {
    return 'It is not compared with the landings before it yet.';
  }
  const { landings, isComplete } = window;
  const before = landings === 1 ? 'the landing before it' : `${landings} landings before it`;
  const compared = `It was compared with ${before}${isComplete ? '' : ', not with all'}`;
  return findings.length + reverts.length === 0 ? `${compared}, and takes back nothing.` : `${compared}.`;
}

/** The places by the landing on the other side. */
function Landings({ head, places }: { head: string; places: readonly Place[] }) {
  const commitIds = [...new Set(places.map(({ commitId }) => commitId))];
  return (
    <>
      {commitIds.map((id) => {
        const of = places.filter(({ commitId }) => commitId === id);
        return (
          <div key={id}>
            <p>
              {head} <Landing {...(of[0] as Place)} />
            </p>
            <ul class="plain">{of.map(PlaceItem)}</ul>
          </div>
        );
      })}
    </>
  );
}

function Landing({ reviewId, reviewName, commitId }: Place) {
  if (reviewId === undefined || reviewName === undefined) return <Commit id={commitId} />;
  return <ReviewLink reviewId={reviewId} name={reviewName} />;
}

function PlaceItem({ path, in: file, firstLine, lastLine, kind, certainty, sourceCommitId }: Place) {
  return (
    <li key={`${kind} ${path} ${file} ${firstLine}`}>
      {certainty}: <Name text={path} />
      {firstLine !== undefined && `, lines ${firstLine} to ${lastLine ?? firstLine}`}
      {file === 'landed' && ' of the landed file'}, {WAYS[kind] ?? kind}
      {sourceCommitId !== undefined && (
        <>
          , by <Commit id={sourceCommitId} />
        </>
      )}
    </li>
  );
}
