/** Landings of which is asked whether the target still has their lines. Ids are 40 hex digits. */
export interface StandingQuestion {
  /** The target's newest commit. */
  tip: string;
  landings: readonly AskedLanding[];
}

/** A landing by its commits, which are in the history of the tip. */
export interface AskedLanding {
  /** The newest one. */
  commitId: string;
  /** The oldest one, if it has several: its first parent is the target before. */
  firstCommitId?: string;
}

/** A part of a landing that the target does not have any more. */
export interface LostPlace {
  /** The path in the landing. */
  path: string;
  /** The version with these lines: the landed one, or the target's newest one, which has lines again that the landing removed. */
  in?: 'landed' | 'tip';
  /** Counted from 1, the last one inclusive; absent if it is the whole file, its mode, or a file without lines. */
  firstLine?: number;
  lastLine?: number;
  /** Whether the target has the state from before the landing there. */
  isRestored: boolean;
  /** Whether the landing put these lines, or nothing, in the place of others. */
  isReplacement: boolean;
  /** The commit of the target's first-parent chain with which the target lost it. */
  lostBy: string;
  /** The same place right before `lostBy`, or right after it if the lines are back. */
  lostAt: { path: string; firstLine?: number; lastLine?: number };
}

/** How much of a landing the target still has. */
export interface LandingStanding {
  commitId: string;
  /** The commit of the first-parent chain that brought it, if it is another one. */
  broughtBy?: string;
  /** At most 1,000. Empty if all of it is there, as far as `unknown` is absent. */
  lost: LostPlace[];
  /** Number of further places. */
  lostLeftOut?: number;
  /** The reason why not all of it could be compared. */
  unknown?: string;
}

export interface StandingAnswer {
  /** In the order of the question. */
  landings: LandingStanding[];
}
