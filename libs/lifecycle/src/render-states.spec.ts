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
});
