import { printableLine } from '../terminal/printable';
import type { Built } from './build';
import type { BuildReported } from './environment-report';
import { testedText } from './tested';

/** The result of `plat build`: one object with `--json`. */
export interface BuildResult extends Built {
  /** Absent with `--no-report`. */
  report?: BuildReported;
}

/** The version, the tests that ran, and the names of its images. */
export function buildView({ version, images, pushed, tested }: BuildResult): string {
  const places = pushed.length > 0 ? pushed : images;
  const tests = tested === undefined ? [] : [printableLine(`  tested by ${testedText(tested)}`)];
  return [version, ...tests, ...places.map((place) => `  ${place}`)].join('\n');
}
