import type { Happening, History } from './build';
import { ancestorsOf, mergeBases } from './construction';
import { type Hiding, HIDINGS } from './hiding';
import { ACTIONS, EDITS } from './plan';

const SHAPES = ['fast-forward', 'criss-cross', 'orphan'] as const;

/** The kinds of histories that the generator promises; docs/verification.md lists them. */
export const KINDS = [
  ...ACTIONS,
  ...EDITS,
  ...SHAPES,
  ...HIDINGS.map((hiding) => `server: ${hiding}` as const),
] as const;
export type Kind = Happening | (typeof SHAPES)[number] | `server: ${Hiding}`;

/** The kinds of a history: what its steps did, the relation of its branches, and what the server hides. */
export function kindsOf({ commits, source, target, happened }: History, hiding: Hiding): Kind[] {
  const [ofSource, ofTarget] = [ancestorsOf(commits, source), ancestorsOf(commits, target)];
  const bases = mergeBases(commits, ofSource, ofTarget);
  const shapes: Record<(typeof SHAPES)[number], boolean> = {
    'fast-forward': happened.has('take over') && ofTarget.has(source) && source !== 0,
    'criss-cross': bases.length > 1,
    orphan: bases.length === 0,
  };
  return [...happened, ...SHAPES.filter((shape) => shapes[shape]), `server: ${hiding}`];
}
