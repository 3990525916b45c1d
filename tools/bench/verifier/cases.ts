import type { Review, ReviewPlan } from './history-stream';
import type { BenchRepository } from './repository';
import type { Asked } from './subject/exchange';

/** The work of the git command in the same situation. */
export type Yardstick =
  /** A fresh `git clone --filter=tree:0 --bare`, and `merge-base --is-ancestor`. */
  | 'clone without trees'
  /** A fresh `git clone --filter=blob:none --bare`, and `merge-tree` of both branches. */
  | 'clone without files, merge-tree';

export interface Goals {
  /** Seconds, as a multiple of the yardstick's. */
  timeRatio?: number;
  /** Received bytes, as a multiple of the yardstick's. */
  bytesRatio?: number;
  seconds?: number;
}

export interface Case {
  name: string;
  yardstick: Yardstick;
  goals: Goals;
  /** Whether the verifier must accept the landing. With another verdict the figures would mean nothing. */
  verified: boolean;
  /** Whether queues ask such a question at every merge. The other cases are worst cases. */
  isOfReports: boolean;
  /** Commits along first parents that a repository must have for this case. */
  depth: number;
  ask(repository: BenchRepository): Promise<Unaddressed>;
}

type Unaddressed = Asked extends infer Each ? (Each extends Asked ? Omit<Each, 'remoteUrl'> : never) : never;

/** A repository with too few commits for a plan lacks that branch. */
export const reviewPlans: ReadonlyMap<Review, ReviewPlan> = new Map([
  ['near', { startsBack: 89, landsBack: 40 }],
  ['far', { startsBack: 3_937, landsBack: 100 }],
  ['lost', { startsBack: 1_000 }],
]);

const queue = (commitBack: number, anchorBack?: number): Case['ask'] => {
  return async (repository) => ({
    condition: 'queue',
    targetBranch: 'main',
    commitId: await repository.back(commitBack),
    anchorCommitId: anchorBack === undefined ? undefined : await repository.back(anchorBack),
  });
};
const history = (sourceBranch: Review): Case['ask'] => {
  return async () => ({ condition: 'history', targetBranch: 'main', sourceBranch });
};

const content = (sourceBranch: Review, landsBack: number): Case['ask'] => {
  return async (repository) => ({
    condition: 'content',
    commitId: await repository.back(landsBack),
    anchorCommitId: await repository.back(landsBack + 1),
    sourceBranch,
  });
};

/** Distances count commits along first parents. */
export const cases: readonly Case[] = [
  {
    name: 'A, 78 landed since the anchor',
    yardstick: 'clone without trees',
    goals: { timeRatio: 0.2, bytesRatio: 0.01 },
    verified: true,
    isOfReports: true,
    depth: 100,
    ask: queue(1, 78),
  },
  {
    name: 'A, 3,926 landed since the anchor',
    yardstick: 'clone without trees',
    goals: { timeRatio: 0.2 },
    verified: true,
    isOfReports: true,
    depth: 4_000,
    ask: queue(1, 3_926),
  },
  {
    name: 'B accept, diverged 89',
    yardstick: 'clone without files, merge-tree',
    goals: { timeRatio: 0.1 },
    verified: true,
    isOfReports: true,
    depth: 100,
    ask: history('near'),
  },
  {
    name: 'B accept, diverged 3,937',
    yardstick: 'clone without files, merge-tree',
    goals: { timeRatio: 0.1 },
    verified: true,
    isOfReports: true,
    depth: 4_000,
    ask: history('far'),
  },
  {
    name: 'B refuse after 1,000 candidates',
    yardstick: 'clone without files, merge-tree',
    goals: { seconds: 1.5 },
    verified: false,
    isOfReports: true,
    depth: 1_100,
    ask: history('lost'),
  },
  {
    name: 'content of a squash, diverged 49',
    yardstick: 'clone without files, merge-tree',
    goals: { timeRatio: 0.1 },
    verified: true,
    isOfReports: true,
    depth: 100,
    ask: content('near', 40),
  },
  {
    name: 'content of a squash, diverged 3,837',
    yardstick: 'clone without files, merge-tree',
    // Two round trips more than for condition B: the landed commit first, and the files of each side.
    goals: { timeRatio: 0.15 },
    verified: true,
    isOfReports: true,
    depth: 4_000,
    ask: content('far', 100),
  },
  {
    name: 'A, no anchor, the first commit',
    yardstick: 'clone without trees',
    goals: { timeRatio: 1.5 },
    verified: true,
    isOfReports: false,
    depth: 0,
    ask: async (repository) => queue(repository.depth - 10)(repository),
  },
];
