import { advertise, type Answerer, line, type ScriptedGitServer, scriptedGitServer } from '@plat/testing';
import { Budget } from '../budget';
import { embeddedVerifierConfig } from '../config';
import { GuardedHttp } from '../transport/guarded-http';
import { RemoteRepository } from './remote-repository';

const ID = 'a'.repeat(40);
const MAIN = 'refs/heads/main';

describe('RemoteRepository', () => {
  const network = new GuardedHttp(embeddedVerifierConfig);
  const servers: ScriptedGitServer[] = [];
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
  afterAll(() => network.close());

  async function open(
    discovery: Answerer,
    { path = '/o/r.git', expected = [], tips }: { path?: string; expected?: string[]; tips?: Answerer } = {},
  ): Promise<RemoteRepository> {
    const server = await scriptedGitServer({ discovery, tip: ID, tips });
    servers.push(server);
    const budget = new Budget(embeddedVerifierConfig.caps);
    const http = network.open({ budget, signal: new AbortController().signal });
    return RemoteRepository.open(http, `${server.origin}${path}`, { budget, expected });
  }
  const lines = (...texts: string[]): Answerer => {
    return (response) => response.end(`${texts.map(line).join('')}0000`);
  };
  const failsAs = (reason: string, message: string) => expect.objectContaining({ reason, message });

  it('reads the tips of an honest server, with any number of slashes at the end of its address', async () => {
    const repository = await open(advertise, { path: '/o/r.git//' });
    expect(await repository.tips([MAIN])).toEqual(new Map([[MAIN, ID]]));
    expect(repository.capabilities).toEqual({ version: 2, filter: true });
  });

  it('requests the expected tips together with the capabilities, and not again', async () => {
    let asked = () => undefined as void;
    const tipsAsked = new Promise<void>((resolve) => (asked = resolve));
    const repository = await open((response) => void tipsAsked.then(() => advertise(response)), {
      expected: [MAIN],
      tips: (response) => {
        asked();
        response.end(`${line(`${ID} ${MAIN}\n`)}0000`);
      },
    });
    expect(await repository.tips([MAIN])).toEqual(new Map([[MAIN, ID]]));
    expect(servers[0]?.requests).toHaveLength(2);
    await repository.tips([MAIN, 'refs/heads/other']);
    expect(servers[0]?.requests).toHaveLength(3);
  });

  it('requests the tips again after a redirect', async () => {
    const discovery: Answerer = (response, request) => {
      if (request.url?.startsWith('/moved.git/')) {
        advertise(response);
      } else {
        response
          .writeHead(301, { location: '/moved.git/info/refs?service=git-upload-pack' })
          .end('elsewhere');
      }
    };
    const repository = await open(discovery, { expected: [MAIN] });
    await repository.tips([MAIN]);
    expect(servers[0]?.requests.at(-1)).toBe('POST /moved.git/git-upload-pack');
  });

  it('reads tips and capabilities of a server of protocol v0 from its first answer', async () => {
    const repository = await open(
      (response) =>
        response.end(
          `${line('# service=git-upload-pack\n')}0000${line(`${ID} ${MAIN}\0side-band-64k filter\n`)}0000`,
        ),
      { expected: [MAIN, 'refs/heads/gone'], tips: (response) => response.end(line('ERR what is this?')) },
    );
    expect(await repository.tips([MAIN, 'refs/heads/gone'])).toEqual(new Map([[MAIN, ID]]));
    expect(repository.capabilities).toEqual({ version: 0, filter: true });
  });

  it.each(['HEAD', 'a'.repeat(39), 'A'.repeat(40)])(
    'refuses %j as the id of a tip over protocol v0',
    async (id) => {
      const first = line('# service=git-upload-pack\n');
      const repository = await open((response) =>
        response.end(`${first}0000${line(`${id} ${MAIN}\0side-band-64k\n`)}0000`),
      );
      await expect(repository.tips([MAIN])).rejects.toEqual(
        failsAs('remote_unreadable', 'ref without an object id'),
      );
    },
  );

  it.each(['/o/r.git?x=1', '/o/r.git#x'])('sends no request to %s', async (path) => {
    await expect(open(advertise, { path })).rejects.toEqual(
      failsAs('remote_refused', 'query or fragment in the address'),
    );
  });

  it.each<[name: string, reason: string, message: string, discovery: Answerer]>([
    ['garbage', 'remote_unreadable', 'no git repository answers', lines('hello\n')],
    ['no fetch', 'remote_unreadable', 'server without fetch', lines('version 2\n', 'ls-refs\n')],
    [
      'SHA-256 ids over v2',
      'remote_refused',
      'repository with other object ids than SHA-1',
      lines('version 2\n', 'fetch\n', 'object-format=sha256\n'),
    ],
    [
      'a list of capabilities beyond its cap',
      'remote_too_large',
      'too many refs',
      (response) => response.end(line('x'.repeat(1_000)).repeat(100)),
    ],
    [
      'a redirect to something else of the same host',
      'remote_unreadable',
      'redirect to something else than a repository',
      (response, request) => {
        if (request.url === '/elsewhere') advertise(response);
        else response.writeHead(302, { location: '/elsewhere' }).end();
      },
    ],
  ])('fails at %s', async (_, reason, message, discovery) => {
    await expect(open(discovery)).rejects.toEqual(failsAs(reason, message));
  });
});
