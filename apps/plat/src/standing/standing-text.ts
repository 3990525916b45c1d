import { printableLine } from '../terminal/printable';
import type { EarlierLanding } from '../undone/undone-report';
import { WAYS } from '../undone/undone-text';
import {
  STANDING_STATES,
  type StandingLanding,
  type StandingReport,
  type StandingState,
  type TakenPlace,
} from './standing-report';

const SHORT_LENGTH = 10;

/** The verb of each list of places, of the later landing. */
const VERBS = { undone: 'undoes', reverted: 'reverts', edited: 'changes', unclear: 'takes' } as const;

const HEADS = {
  missing: 'is not in the history of the branch',
  undone: 'is undone',
  unknown: 'is not known to stand',
  reverted: 'is reverted on purpose',
} as const satisfies Partial<Record<StandingState, string>>;

const COUNTS = {
  missing: 'missing',
  undone: 'undone',
  unknown: 'not known',
  reverted: 'reverted on purpose',
  edited: 'edited since',
  standing: 'as they landed',
} as const satisfies Record<StandingState, string>;

/** The report as `plat ledger check --still-there` prints it: the worst first, and the oldest first, as they are to be landed. */
export function standingView({ landings, window }: StandingReport): string {
  const of = (state: StandingState) => landings.filter((landing) => landing.state === state).toReversed();
  const counts = STANDING_STATES.map((state) => ({ state, count: of(state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${COUNTS[state]}`);
  const isAll = window.isComplete ? '' : ', not all of the time';
  return [
    ...(['missing', 'undone', 'unknown', 'reverted'] as const).flatMap((state) => of(state).flatMap(linesOf)),
    ...of('edited').map(editedLine),
    `${landings.length} landings were examined${isAll}: ${counts.join(', ') || 'none'}.`,
  ]
    .map(printableLine)
    .join('\n');
}

function linesOf(landing: StandingLanding): string[] {
  const { state, detail, placesLeftOut = 0, landAgain } = landing;
  const head = state in HEADS ? HEADS[state as keyof typeof HEADS] : '';
  const lists = ['undone', 'unclear', 'reverted'] as const;
  return [
    `${landingText(landing)} ${head}${detail === undefined ? '' : `: ${detail}`}`,
    ...lists.flatMap((list) => landing[list].map((place) => `  ${placeText(place, VERBS[list])}`)),
    ...(placesLeftOut > 0 ? [`  and ${placesLeftOut} more places`] : []),
    ...(landAgain === undefined ? [] : ['  land it again:', ...landAgain.map((command) => `    ${command}`)]),
  ];
}

function landingText({ reviewName, author, landedAt, reviewId, commitId }: StandingLanding): string {
  const facts = [
    author === undefined ? '' : ` by ${author}`,
    landedAt === undefined ? '' : `, ${landedAt.slice(0, 10)}`,
    reviewId === undefined ? '' : `, review ${reviewId}`,
    commitId === undefined ? '' : `, commit ${commitId.slice(0, SHORT_LENGTH)}`,
  ];
  return `"${reviewName}"${facts.join('')}`;
}

function placeText(place: TakenPlace, verb: string): string {
  const { path, in: file, firstLine, lastLine, kind, certainty, sourceCommitId, by } = place;
  const lines = firstLine === lastLine ? `:${firstLine}` : `:${firstLine}-${lastLine}`;
  const where = `${path}${firstLine === undefined ? '' : lines}${file === 'tip' ? ' of today' : ''}`;
  const commit = sourceCommitId === undefined ? '' : ` (${sourceCommitId.slice(0, SHORT_LENGTH)})`;
  const way = kind === undefined ? '' : `: ${WAYS[kind]}${commit}, ${certainty}`;
  return `${laterText(by)} ${verb} ${where}${way}`;
}

function laterText({ reviewName, reviewId, commitId }: EarlierLanding): string {
  const review = reviewId === undefined ? '' : `review ${reviewId}, `;
  return `"${reviewName}" (${review}commit ${commitId.slice(0, SHORT_LENGTH)})`;
}

/** Edits are usual work, so that they take one line a landing. */
function editedLine(landing: StandingLanding): string {
  const editors = [...new Set(landing.edited.map(({ by }) => laterText(by)))];
  return `${landingText(landing)} is edited since by ${editors.join(', ')}`;
}

/** Says for a person why the branch does not have the work of all its landings. */
export function standingNotes({ stands, window, landings }: StandingReport): string[] {
  const isMissing = landings.some(({ state }) => state === 'missing' || state === 'undone');
  return [
    ...(window.isComplete
      ? []
      : [
          `Only the newest ${window.landings} landings were examined: repeat the command with a later --since.`,
        ]),
    ...(stands || !isMissing
      ? []
      : ['Not all that has landed is still there, and no later landing says why.']),
  ];
}
