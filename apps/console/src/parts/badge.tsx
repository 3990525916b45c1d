/** A sign next to each word, so that nothing is said by its colour alone. */
const SIGNS: Readonly<Record<string, [sign: string, tone: 'good' | 'bad' | 'busy' | 'calm']>> = {
  OPEN: ['○', 'calm'],
  READY: ['◔', 'busy'],
  MERGE: ['◑', 'busy'],
  MERGED: ['●', 'good'],
  FAILED: ['✕', 'bad'],
  CLOSED: ['—', 'calm'],
  RUNNING: ['◑', 'busy'],
  PASSED: ['✓', 'good'],
  INCONCLUSIVE: ['?', 'calm'],
  ON_TIME: ['✓', 'good'],
  LATE: ['!', 'busy'],
  STUCK: ['‼', 'bad'],
  BLOCKED: ['■', 'busy'],
  EXACT: ['=', 'good'],
  SAME_CHANGE: ['≈', 'good'],
  BY_HAND: ['✎', 'calm'],
  DIVERGENT: ['≠', 'bad'],
  UNKNOWN: ['?', 'calm'],
  queued: ['◔', 'calm'],
  running: ['◑', 'busy'],
  released: ['✓', 'good'],
  failed: ['✕', 'bad'],
  success: ['✓', 'good'],
  failure: ['✕', 'bad'],
};

/** One of the contract's words, with its sign. */
export function Badge({ word }: { word: string }) {
  const [sign, tone] = Object.hasOwn(SIGNS, word) ? SIGNS[word]! : ['·', 'calm'];
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}
