/** The forge's client. It is a separate bundle, so that a command that calls no forge does not load it. */
export { Octokit } from '@octokit/core';
export { paginateRest } from '@octokit/plugin-paginate-rest';
