export { issueReference } from './issue-reference';
export { withoutCredentials } from './remote';
export { canonicalRepository, fetchAddress } from './repository';
