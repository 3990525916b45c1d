export interface HistoryQuestion {
  targetBranch: string;
  sourceBranch: string;
}
