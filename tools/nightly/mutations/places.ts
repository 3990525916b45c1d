/** A part of the code whose tests are tested: the files that are changed, and the specs that have to notice. */
export interface Place {
  /** Folder or file, from the workspace root. */
  sources: string;
  project: string;
  /** Patterns for jest's --testPathPatterns; the quick specs first, because most mutants end there. */
  specs: readonly string[];
}

const verifier = (sources: string, ...specs: string[]): Place => ({
  sources: `libs/verifier/src/${sources}`,
  project: 'libs/verifier',
  specs: specs.map((spec) => `verifier/src/(${spec})`),
});

export const PLACES: readonly Place[] = [
  verifier('pack', 'pack/', 'judge/(contradictions|queue)', 'hostile|judge/h'),
  verifier('protocol', 'protocol/', 'judge/(contradictions|queue)|hostile', 'verifier.spec'),
  verifier('judge', 'judge/(contradictions|hidden|queue)|verifier.spec', 'judge/history'),
  verifier('history', 'judge/(contradictions|hidden|queue)|history/', 'judge/history'),
  verifier('content', 'content/(?!judge)', 'content/judge-paths', 'content/judge-content'),
  verifier('transport/guards.ts', 'transport/(guards|guarded)', 'hostile'),
];
