import {
  MergeStand,
  type ScriptedGitServer,
  scriptedGitServer,
  type TestAnswer,
  type TestUser,
} from '@plat/testing';
import { reviewsService } from '../service';

let stand: MergeStand;
const servers: ScriptedGitServer[] = [];
beforeAll(async () => {
  stand = await MergeStand.start(reviewsService);
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await stand.removeRepositories();
});
afterAll(() => stand.stop());

const check = (body: object, user: TestUser = 'alice'): Promise<TestAnswer> =>
  stand.service.send(user, 'POST /v1/reviews/merge-queue/check', body);

/** A server that answers every request for refs like a forge that asks for a password. */
async function privateRepository(): Promise<string> {
  const server = await scriptedGitServer({
    discovery: (response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end(),
  });
  servers.push(server);
  return `${server.origin}/acme/app.git`;
}

describe('POST /v1/reviews/merge-queue/check', () => {
  describe('200', () => {
    it.each(['http', 'file'] as const)(
      'a target branch that the service can read, over %s',
      async (served) => {
        const { remoteUrl: repository } = await stand.repository(served);
        expect(await check({ repository, targetBranch: 'main' })).toMatchObject({
          status: 200,
          body: { readable: true },
        });
      },
    );

    it('a branch that the repository does not have', async () => {
      const { remoteUrl: repository } = await stand.repository('http');
      const { body } = await check({ repository, targetBranch: 'nope' });
      expect(body).toEqual({ readable: false, reason: 'branch_missing' });
    });

    it('a remote that the service reads nowhere', async () => {
      const { body } = await check({ repository: 'git://git.example/acme/app', targetBranch: 'main' });
      expect(body).toEqual({ readable: false, reason: 'remote_refused' });
    });

    it('a private repository, a closed port and a missing repository are answered alike', async () => {
      const bundle = await stand.repository('http');
      const answers = [
        await check({ repository: await privateRepository(), targetBranch: 'main' }),
        await check({ repository: bundle.remoteUrl.replace('/repo/', '/nope/'), targetBranch: 'main' }),
      ];
      await bundle.stopServing();
      answers.push(await check({ repository: bundle.remoteUrl, targetBranch: 'main' }));
      const unreadable = { readable: false, reason: 'remote_unreadable' };
      expect(answers.map(({ status, body }) => [status, body])).toEqual([
        [200, unreadable],
        [200, unreadable],
        [200, unreadable],
      ]);
    });

    it('an agent may ask, since its drives do', async () => {
      const { remoteUrl: repository } = await stand.repository();
      expect(await check({ repository, targetBranch: 'main' }, 'ci')).toMatchObject({ status: 200 });
    });

    it('leaves a row in the audit trail, and sends nothing but a request for refs', async () => {
      const bundle = await stand.repository('http');
      const targetBranch = 'main';
      await check({ repository: bundle.remoteUrl, targetBranch });
      const rows = await stand.service.database.query(
        `SELECT api_method FROM audit.audit_events WHERE api_path = '/v1/reviews/merge-queue/check'`,
      );
      expect(rows).toContainEqual({ api_method: 'POST' });
    });
  });

  describe('400', () => {
    it.each([
      ['no repository', { targetBranch: 'main' }, 'INVALID_BODY'],
      ['what names no repository', { repository: 'acme/app', targetBranch: 'main' }, 'INVALID_REPOSITORY'],
      ['no target branch', { repository: 'https://git.example/acme/app' }, 'INVALID_TARGET_BRANCH'],
    ])('%s', async (_, body, code) => {
      expect(await check(body)).toMatchObject({ status: 400, body: { code } });
    });
  });

  describe('403', () => {
    it('a user whose roles do not name the route', async () => {
      const body = { repository: 'https://git.example/acme/app', targetBranch: 'main' };
      expect(await check(body, 'carol')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    });
  });
});
