/**
 * The one recipe of every merge that a gate makes and that a landing is judged by. Neither a person's configuration nor
 * an attribute changes it. Rule G5; docs/decisions/0034.
 */
export const MERGE_RECIPE = {
  command: 'git merge-tree',
  /** The oldest git that has the command. */
  gitVersionMin: '2.38',
  strategy: 'ort',
  diffAlgorithm: 'histogram',
  /** Share of a file that has to be left of it under another name. */
  renameSimilarityPercent: 50,
  /** Most files that are compared with each other to find renames; git's own default. */
  renameLimit: 7000,
  /** Whether a new file follows the other files of its folder, if the other side renamed those. */
  directoryRenames: false,
  /** Whether line endings are made alike before the merge. */
  renormalize: false,
  attributes: 'none',
} as const;

/** The recipe in a line, for a person. */
export function mergeRecipeText(): string {
  const { command, strategy, diffAlgorithm, renameSimilarityPercent, renameLimit } = MERGE_RECIPE;
  return `${command} (${strategy}, ${diffAlgorithm}), renames from ${renameSimilarityPercent} % of a file among at most ${renameLimit} files, no guess at renamed folders, line endings as they are, no attributes, no personal settings`;
}
