export { issueReference } from './issue-reference';
export { canonicalRepository, fetchAddress } from './repository';
