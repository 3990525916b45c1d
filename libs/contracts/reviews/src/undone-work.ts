import {
  UNDONE_CERTAINTIES,
  UNDONE_FILES,
  UNDONE_KINDS,
  type UndoneCertainty,
  type UndoneFile,
  type UndoneKind,
} from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

const { commitId } = rules;

/** A place at which a landing takes back work of an earlier one, with the landing on the other side. */
export class UndoneFinding {
  @Field(rules.id, {
    description: 'The review on the other side; absent if its landing is no review of the queue',
    optional: true,
  })
  reviewId?: string;

  @Field(rules.name, { description: 'Name of that review', example: 'Add rate limits', optional: true })
  reviewName?: string;

  @Field(commitId, { description: 'The commit of the landing on the other side' })
  commitId!: string;

  @Field(rules.filterText(300), {
    description: 'The file, its path cut after 300 characters; what cannot be printed is shown as ?',
    example: 'src/limits.ts',
  })
  path!: string;

  @Field(rules.oneOf(UNDONE_FILES), {
    description:
      "The version of the file that has the lines: the target's before the later landing, or the landed one, which has them again",
    optional: true,
  })
  in?: UndoneFile;

  @Field(rules.lineNumber, { description: 'First line; absent for a file as a whole', optional: true })
  firstLine?: number;

  @Field(rules.lineNumber, { description: 'Last line, inclusive', optional: true })
  lastLine?: number;

  @Field(rules.oneOf(UNDONE_KINDS), {
    description:
      'dropped_by_merge: a merge of the target into the source lost it, outside of any conflict; dropped_in_conflict: such a ' +
      'merge, or the landing, lost it in the place of a conflict; dropped_by_landing: the landing itself lost it; restored: a ' +
      'commit of the source brought back the state before; deleted: a commit of the source removed it',
  })
  kind!: UndoneKind;

  @Field(rules.oneOf(UNDONE_CERTAINTIES), {
    description: 'How certain it is that the author of the later review did not mean it',
  })
  certainty!: UndoneCertainty;

  @Field(commitId, {
    description: "The commit of the later review's source that did it; absent if it was the landing",
    optional: true,
  })
  sourceCommitId?: string;
}

/** The earlier landings with which a merge was compared. */
export class UndoneWindow {
  @Field(rules.integer, { description: 'Number of these landings', example: 12 })
  landings!: number;

  @Field(commitId, { description: 'The oldest of them; absent if there is none', optional: true })
  oldestCommitId?: string;

  @Field(rules.boolean, {
    description: 'Whether they are all since the source parted from the target, and all of 30 days',
  })
  isComplete!: boolean;
}

/** The work of earlier landings that a merge takes back, and that of its own which later ones took back. Advice. */
export class UndoneWork {
  @Field(rules.instant, {
    description: 'When the merge was compared with the landings before it; absent until then',
    optional: true,
  })
  examinedAt?: string;

  @Field(rules.filterText(40), {
    description: 'Why it could not be compared; then there are no findings',
    example: 'remote_unreadable',
    optional: true,
  })
  unknown?: string;

  @Field(rules.listOfShape(UndoneFinding), {
    description:
      'The places at which it takes back earlier work without saying so, the surest first, at most 100',
  })
  findings!: UndoneFinding[];

  @Field(rules.integer, {
    description: 'How many more findings there are than are listed',
    example: 3,
    optional: true,
  })
  findingsLeftOut?: number;

  @Field(rules.listOfShape(UndoneFinding), {
    description: 'The places at which it takes back earlier work as the review says that it reverts it',
  })
  reverts!: UndoneFinding[];

  @Field(rules.shape(UndoneWindow), {
    description: 'The landings with which it was compared; absent if it was not compared',
    optional: true,
  })
  window?: UndoneWindow;

  @Field(rules.listOfShape(UndoneFinding), {
    description:
      'The places at which later merges took back its work without saying so, the oldest first, at most 100',
  })
  undoneBy!: UndoneFinding[];

  @Field(rules.listOfShape(UndoneFinding), {
    description:
      'The places at which later merges took back its work as their reviews say that they revert it',
  })
  revertedBy!: UndoneFinding[];
}
