export { BRANCH_CHARS_MAX, isBranchName } from './branch-name';
export { issueReference } from './issue-reference';
export { REMOTE_CHARS_MAX } from './remote';
export { canonicalRepository, fetchAddress } from './repository';
