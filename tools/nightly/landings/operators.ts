/** The possible faults of a landing. */
export const OPERATORS = [
  'wrong base',
  'base before the branches parted',
  'first commits only',
  'commit dropped',
  'hunk of the source dropped',
  'hunk altered',
  'spoiled afterwards',
  'part of a hunk of others reverted',
  'unrelated revert',
  'mode',
  'extra line',
  'extra file',
  'file of others emptied',
  'file restored',
] as const;
export type Operator = (typeof OPERATORS)[number];
