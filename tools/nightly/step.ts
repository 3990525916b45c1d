/** One of the long tests: `npm run nightly -- <name>`. */
export interface NightlyStep {
  /** One line for the list of steps. */
  summary: string;
  /**
   * Prints on stdout what it ran and found, with the figures.
   * @param options the values of `--runs` and `--seed`; the step has a default for each
   * @throws if a check fails, with all that is needed to reproduce it
   */
  run(options: NightlyOptions): Promise<void>;
}

export interface NightlyOptions {
  /** Number of generated cases. */
  runs?: number;
  /** Seed of the cases: the same seed gives the same cases. */
  seed?: number;
  /** The number of the one case to run again, counted from 0, among those of the seed. */
  only?: number;
  /** Git directories of existing clones, which are only read. */
  gitDirs?: string[];
}
