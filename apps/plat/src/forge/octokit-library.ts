/** The forge's client: a bundle of its own, which no other command loads. */
export { Octokit } from '@octokit/core';
export { paginateRest } from '@octokit/plugin-paginate-rest';
