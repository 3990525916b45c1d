/** One of the long tests: `npm run nightly -- <name>`. */
export interface NightlyStep {
  /** One line for the list of steps. */
  summary: string;
  /**
   * Tells on stdout what it ran and found; figures beside the verdict.
   * @param options what `--runs` and `--seed` say; the step has a default for each
   * @throws when something does not hold, with what is needed to see it again
   */
  run(options: NightlyOptions): Promise<void>;
}

export interface NightlyOptions {
  /** How many cases are generated. */
  runs?: number;
  /** From which the cases are generated: the same seed gives the same cases. */
  seed?: number;
  /** The number of the one case to run again, counted from 0, out of those that the seed gives. */
  only?: number;
  /** Git directories of somebody's clones, which are only read. */
  gitDirs?: string[];
}
