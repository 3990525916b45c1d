import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderStates } from './render-states';
import { REVIEW_TRIGGERS } from './review-transitions';

describe('renderStates', () => {
  const document = renderStates();

  it('draws the moves between statuses', () => {
    expect(document).toContain('  READY --> MERGE: PROMOTE\n');
    expect(document).toContain('  MERGE --> READY: PATCH_READY, PATCH_READY_WITH_BUILD\n');
    expect(document).toContain('  running --> released: SUCCEED\n');
    expect(document).toContain('  RUNNING --> INCONCLUSIVE\n');
  });

  it.each(REVIEW_TRIGGERS)('has a row for %s', (trigger) => {
    expect(document).toContain(`| \`${trigger}\` |`);
  });

  it('is what docs/states.md says, to the letter', () => {
    const page = readFileSync(join(__dirname, '../../../docs/states.md'), 'utf8');
    expect(renderStates()).toBe(page);
  });
});
