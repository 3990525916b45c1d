import { buildsService } from '@plat/builds';
import { releasesService } from '@plat/releases';
import {
  type Answerer,
  copyInstruction,
  craftDelta,
  type CraftedEntry,
  craftPack,
  type GitScript,
  line,
  MergeScene,
  notVerified,
  objectId,
  ReviewScene,
  type ScriptedGitServer,
  scriptedGitServer,
  sendPack,
  startTestService,
  type TestService,
} from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
let scene: MergeScene;
const servers: ScriptedGitServer[] = [];
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService, releasesService);
  scene = await MergeScene.create(service);
});
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
afterAll(async () => {
  await scene.remove();
  await service.stop();
});

const garbage: Answerer = (response) => response.end(Buffer.alloc(5_000, 0xff));
const flood: Answerer = (response) => {
  const more = () => {
    while (
      !response.destroyed &&
      response.write(line(`${'a'.repeat(40)} refs/heads/main-2\n`).repeat(1_000))
    );
    response.once('drain', more);
  };
  more();
};
describe('PATCH /v1/reviews/{review_id}/status, MERGED with a remote that wants to harm', () => {
  it.each<[name: string, reason: string, script: GitScript]>([
    ['garbage', 'remote_unreadable', { discovery: garbage }],
    ['a redirect inwards', 'remote_unreadable', { discovery: redirectTo('http://169.254.169.254/') }],
    ['refs without end', 'remote_too_large', { tips: flood }],
    ['a pack with a bad checksum', 'remote_unreadable', { fetch: sendPack(badChecksum()) }],
    ['a pack of 12 KiB that would become 6 GiB', 'remote_too_large', { fetch: sendPack(deltaBomb()) }],
    ['2^32-1 objects', 'remote_too_large', { fetch: sendPack(craftPack([], { declaredCount: 0xffffffff })) }],
    [
      'an error with terminal escapes',
      'remote_unreadable',
      { fetch: errorText('\u001b]0;gone\u0007\u001b[2J') },
    ],
  ])('409 MERGE_NOT_VERIFIED, and nothing changes: %s', async (_, reason, script) => {
    const server = await scriptedGitServer(script);
    servers.push(server);
    const remoteUrl = `${server.origin}/acme/app.git`;
    const hostile = scene.with({ remoteUrl, scene: new ReviewScene(service, remoteUrl, 'main') });
    const id = await hostile.scene.green();
    const buildId = await hostile.scene.build(id, { kind: 'GATE', commitId: 'c'.repeat(40) });
    const refused = await hostile.expectRefusal(async () => {
      const answer = await hostile.report(id, buildId);
      expect(JSON.stringify(answer.body)).not.toMatch(/\\u001b|gone|169\.254/);
      return answer;
    });
    expect(refused).toEqual(notVerified(reason));
  });
});

function redirectTo(location: string): Answerer {
  return (response) => response.writeHead(302, { location }).end();
}

/** One object and hundreds of deltas, each of which copies all of it. */
function deltaBomb(): Buffer {
  const base = Buffer.alloc(0xffffff);
  const delta = craftDelta(base.length, base.length, copyInstruction(0, base.length));
  const copy: CraftedEntry = { type: 'id-delta', baseId: objectId('blob', base), delta };
  return craftPack([{ type: 'blob', content: base }, ...Array.from({ length: 400 }, () => copy)]);
}

function badChecksum(): Buffer {
  return craftPack([{ type: 'blob', content: 'a' }], { checksum: Buffer.alloc(20) });
}

function errorText(text: string): Answerer {
  return (response) => response.end(line(`ERR ${text}`));
}
