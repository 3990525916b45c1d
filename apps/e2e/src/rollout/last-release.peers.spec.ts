/**
 * @peers nginx
 * @paths apps/audit apps/builds apps/platform apps/releases apps/reviews libs deploy apps/e2e/src tools/db tools/build
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@plat/database';
import { workspaceRoot } from '@plat/local';
import {
  buildPrograms,
  type Deployment,
  judgeTraffic,
  NOTHING_AMISS,
  type Programs,
  startServer,
  type Traffic,
} from '@plat/testing';
import { buildLastRelease, type LastRelease, SCHEMA_VERSION } from './last-release';
import { RolloutStand } from './rollout-stand';

const BUILD_MS = 600_000;
const ROLL_MS = 240_000;
/** Good answers before and after each step, so that each release is seen at work. */
const ANSWERS = 200;

let last: LastRelease;
let present: Programs;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-present-'));
  present = await buildPrograms(workspaceRoot(), folder);
  last = await buildLastRelease((line) => process.stderr.write(`${line}\n`));
}, BUILD_MS);
afterAll(() => rm(folder, { recursive: true }));

describe('a rollout over the last release, under load through the edge', () => {
  let stand: RolloutStand;
  let deployment: Deployment;
  let traffic: Traffic;
  beforeAll(async () => {
    stand = await RolloutStand.set(last);
    deployment = await stand.deploy(last.programs);
    traffic = stand.load(deployment);
    await traffic.more(ANSWERS);
  }, ROLL_MS);
  afterAll(() => stand.strike());

  it(
    'before the migration, each new service serves, or says what it needs and leaves the old ones to serve',
    async () => {
      const logFile = join(stand.folder, 'early.log');
      const early = await startServer({
        args: [present.reviews],
        environment: stand.environment('reviews'),
        logFile,
      }).catch(() => undefined);
      const serves = early !== undefined;
      await early?.stop();
      const isSame = (await readFile(join(workspaceRoot(), SCHEMA_VERSION), 'utf8')) === last.schemaVersion;
      await traffic.more(ANSWERS);
      const said = await readFile(logFile, 'utf8');
      const refuses = /this release needs \d{4}_\w+\+\d{4}: run npm run db -- migrate/.test(said);
      expect({ serves, refuses }).toEqual({ serves: isSame, refuses: !isSame });
      expect(traffic.failed).toEqual([]);
    },
    ROLL_MS,
  );

  it(
    'the services of the last release serve on the new schema, and their replicas can be replaced',
    async () => {
      await migrate(stand.ownerUrl);
      await traffic.more(ANSWERS);
      await deployment.roll(last.programs);
      await traffic.more(ANSWERS);
      expect(traffic.failed).toEqual([]);
    },
    ROLL_MS,
  );

  it(
    'the new services replace them one by one',
    async () => {
      await deployment.roll(present);
      await traffic.more(ANSWERS);
      expect(traffic.failed).toEqual([]);
    },
    ROLL_MS,
  );

  it(
    'the services of the last release replace the new ones when they are rolled back',
    async () => {
      await deployment.roll(last.programs);
      await traffic.more(ANSWERS);
      expect(traffic.failed).toEqual([]);
    },
    ROLL_MS,
  );

  it(
    'no request failed, none lacks its audit row, nothing acknowledged is lost, and no invariant is broken',
    async () => {
      await traffic.stop();
      expect(traffic.answered.length).toBeGreaterThan(5 * ANSWERS);
      process.stderr.write(`${traffic.answered.length} requests over ${last.name}\n`);
      expect(await judgeTraffic(stand.ownerUrl, traffic)).toEqual(NOTHING_AMISS);
      expect(traffic.failed).toEqual([]);
    },
    ROLL_MS,
  );
});
