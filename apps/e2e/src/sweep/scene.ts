import {
  TEST_ENVIRONMENTS,
  TEST_USERS,
  type TestAnswer,
  type TestService,
  type TestUser,
} from '@plat/testing';

/** An id for each path parameter of the route table. */
export type PathIds = Record<string, string>;

const COMMIT = 'a'.repeat(40);

/** Makes one row of each kind that a path can name, as the administrator of a tenant. */
export async function makeScene(service: TestService, tenant: 'acme' | 'globex'): Promise<PathIds> {
  const admin = tenant === 'acme' ? 'alice' : 'mallory';
  const make = maker(service, admin);
  const { reviewId } = await make('POST /v1/reviews', {
    name: 'swept',
    sourceBranch: 'feature/1-swept',
    targetBranch: 'main',
    repository: `https://git.example/${tenant}/swept`,
  });
  const review = `/v1/reviews/${reviewId}` as const;
  const build = await make(`POST ${review}/builds`, { commitId: COMMIT, successful: true, version: '1.2.3' });
  const comment = await make(`POST ${review}/comments`, {
    commitId: COMMIT,
    filePath: 'a.ts',
    line: 1,
    body: 'why?',
  });
  const release = await make('POST /v1/releases', { targetBranch: 'main', commitId: COMMIT });
  const gateRun = await make('POST /v1/gate-runs', {
    sourceBranch: 'feature/1-swept',
    targetBranch: 'main',
    sourceCommit: COMMIT,
    mergeCommit: COMMIT,
  });
  const role = await make('POST /v1/roles', {
    name: 'Swept',
    permissions: [{ apiMethod: 'GET', apiPath: '/v1/whoami' }],
  });
  return {
    review_id: reviewId!,
    build_id: build.buildId!,
    comment_id: comment.commentId!,
    release_id: release.releaseId!,
    gate_run_id: gateRun.gateRunId!,
    role_id: role.roleId!,
    user_id: TEST_USERS[tenant === 'acme' ? 'bob' : 'mallory'].userId,
    environment_id: TEST_ENVIRONMENTS[`${tenant}/dev`],
  };
}

/** Sends requests that must succeed, and returns the body of the answer. */
function maker(service: TestService, user: TestUser) {
  return async (line: `POST /${string}`, body: object): Promise<Record<string, string | undefined>> => {
    const answer: TestAnswer = await service.send(user, line, body);
    if (answer.status >= 300) {
      throw new Error(`${line} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body as Record<string, string>;
  };
}
