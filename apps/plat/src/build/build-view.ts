import type { Built } from './build';
import type { BuildReported } from './environment-report';

/** The result of `plat build`: one object with `--json`. */
export interface BuildResult extends Built {
  /** Absent with `--no-report`. */
  report?: BuildReported;
}

/** The version, and the names of its images. */
export function buildView({ version, images, pushed }: BuildResult): string {
  const places = pushed.length > 0 ? pushed : images;
  return [version, ...places.map((place) => `  ${place}`)].join('\n');
}
