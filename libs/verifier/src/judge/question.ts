import type { LandedContent } from '../content/content-verdict';
import type { ContentQuestion } from '../content/judge-content';
import type { StandingAnswer, StandingQuestion } from '../standing/standing';
import type { UndoneQuestion } from '../undone/undone-by';
import type { UndoneUnknown, UndoneWork } from '../undone/undone-work';
import type { BranchRead, HistoryLanding, QueueLanding, Verdict } from '../verdict';
import type { BranchQuestion } from './branch-read';
import type { HistoryQuestion } from './history-landing';
import type { QueueQuestion } from './queue-landing';

/** The question whether a change has landed. */
export type LandingQuestion =
  | ({ condition: 'queue'; address: string } & QueueQuestion)
  | ({ condition: 'history'; address: string } & HistoryQuestion);

export type LandingVerdict = Verdict<QueueLanding> | Verdict<HistoryLanding>;

/** A question for a verifier, which answers it with one verdict. */
export type Question =
  | LandingQuestion
  | ({ condition: 'content'; address: string } & ContentQuestion)
  | ({ condition: 'undone'; address: string } & UndoneQuestion)
  | ({ condition: 'standing'; address: string } & StandingQuestion)
  | ({ condition: 'branch'; address: string } & BranchQuestion);

export type Answer =
  LandingVerdict | LandedContent | Verdict<BranchRead> | UndoneWork | UndoneUnknown | StandingAnswer;
