import type { Happening, History } from './build';
import { ancestorsOf, mergeBases } from './construction';
import { type Hiding, HIDINGS } from './hiding';
import { ACTIONS, EDITS } from './plan';

const SHAPES = ['fast-forward', 'criss-cross', 'orphan'] as const;

/** What the generator promises to make; docs/verification.md lists it. */
export const KINDS = [
  ...ACTIONS,
  ...EDITS,
  ...SHAPES,
  ...HIDINGS.map((hiding) => `server: ${hiding}` as const),
] as const;
export type Kind = Happening | (typeof SHAPES)[number] | `server: ${Hiding}`;

/** What a history is an example of: what its steps did, how its branches stand to each other, what the server hides. */
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
