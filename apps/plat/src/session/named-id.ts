import { isId } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';

/** Shorter pieces name too much. */
const PIECE_LENGTH_MIN = 6;
const PIECE = /^[0-9a-f-]+$/i;
const CANDIDATES_MAX = 10;

/** What can be named by a piece of its id, as a listing shows it. */
export interface Candidate {
  id: string;
  /** For a person, where several have the piece. */
  label: string;
}

export interface NamedThing {
  /** Such as `The review`. */
  what: string;
  /** The command that shows ids of that kind. */
  listing: string;
  /** Asked for a piece alone. */
  candidates(): Promise<Candidate[]>;
}

/**
 * An id, or a piece of one: what is neither is refused before any call.
 *
 * @throws Failure INVALID_ID
 */
export function idOrPiece(text: string, { what, listing }: Pick<NamedThing, 'what' | 'listing'>): string {
  if (isId(text) || (text.length >= PIECE_LENGTH_MIN && PIECE.test(text))) return text;
  throw new Failure(
    'INVALID_ID',
    `${what} ${JSON.stringify(text)} is not an id, nor a piece of six characters or more.`,
    {
      next: listing,
    },
  );
}

/**
 * The id that a person means: itself, or the only one that ends with the piece, or else has it anywhere.
 *
 * @throws Failure NO_SUCH_ID, AMBIGUOUS_ID with those that have it
 */
export async function wholeId(text: string, { what, listing, candidates }: NamedThing): Promise<string> {
  if (isId(text)) return text;
  const piece = text.toLowerCase();
  const having = (await candidates()).filter(({ id }) => id.toLowerCase().includes(piece));
  const ending = having.filter(({ id }) => id.toLowerCase().endsWith(piece));
  const [only, ...more] = ending.length > 0 ? ending : having;
  if (only && more.length === 0) return only.id;
  if (!only) {
    throw new Failure('NO_SUCH_ID', `${what} with ${text} in its id is not there.`, { next: listing });
  }
  const meant = [only, ...more];
  const shown = meant.slice(0, CANDIDATES_MAX).map(({ id, label }) => `  ${id}  ${label}`);
  throw new Failure('AMBIGUOUS_ID', `${meant.length} ids have ${text}:\n${shown.join('\n')}`, {
    details: { candidates: meant.map(({ id }) => id) },
    next: 'give more of the id',
  });
}
