import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { line, type ScriptedGitServer, scriptedGitServer } from '@plat/testing';
import { embeddedVerifierConfig } from '../config';
import { GuardedHttp } from '../transport/guarded-http';
import { answerQuestion } from './answer-question';
import type { Question } from './question';

const [SOURCE, TARGET] = ['a'.repeat(40), 'b'.repeat(40)];
/** Times that no case reaches. */
const patient = {
  ...embeddedVerifierConfig,
  caps: { ...embeddedVerifierConfig.caps, idleMs: 300_000, totalMs: 300_000 },
};

describe('answerQuestion', () => {
  const network = new GuardedHttp(patient);
  const servers: ScriptedGitServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
  afterAll(() => network.close());

  it('leaves no request running after another one has failed', async () => {
    let hanging: ServerResponse | undefined;
    const server = await scriptedGitServer({
      tips: (response) =>
        response.end(`${line(`${SOURCE} refs/heads/feature\n`)}${line(`${TARGET} refs/heads/main\n`)}0000`),
      fetch: (response, _, body) => {
        if (body.includes(`want ${SOURCE}`)) {
          response.write(line('acknowledgments\n'));
          hanging = response;
        } else {
          const isHanging = () => hanging !== undefined;
          const fail = () => (isHanging() ? response.end('garbage') : setImmediate(fail));
          fail();
        }
      },
    });
    servers.push(server);
    const address = `${server.origin}/r.git`;
    const branches = { targetBranch: 'main', sourceBranch: 'feature' };
    const question: Question = { condition: 'history', address, ...branches };
    expect(await answerQuestion(question, patient, { network })).toMatchObject({
      judged: false,
      cause: 'malformed line length',
    });
    if (!hanging?.closed) await once(hanging!, 'close');
  });

  it('rejects on its own defect, and does not report it as a failure of the remote', async () => {
    const server = await scriptedGitServer({});
    servers.push(server);
    const question = { condition: 'queue', address: `${server.origin}/r.git`, targetBranch: undefined };
    await expect(answerQuestion(question as unknown as Question, patient, { network })).rejects.toThrow(
      TypeError,
    );
  });
});
