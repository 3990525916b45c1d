/** The forge's client: a bundle of its own, which no other command reads. */
export { Octokit } from '@octokit/core';
export { paginateRest } from '@octokit/plugin-paginate-rest';
