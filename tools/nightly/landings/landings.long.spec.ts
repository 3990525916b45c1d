import { git, verifierWorkerFile } from '@plat/testing';
import { serveByOneUploadPack } from '../histories/upload-pack-server';
import { mergeTarget } from './merged-target';
import type { LandingPlan } from './plan';
import { runLandings, type ServeRepository } from './run-landings';
import { makeScenes, type Scene } from './scenes';
import { landSoundly } from './sound';
import { Workshop } from './workshop';

/** The same landings in every run; the nightly tests use new ones. */
const SEED = 1;
const RUNS = 8;

const served: ServeRepository = async (directory, refs) => {
  const updates = Object.entries(refs).map(([name, id]) => `update ${name} ${id}\n`);
  await git(directory, ['update-ref', '--stdin'], { input: updates.join('') });
  return serveByOneUploadPack(directory);
};

it('each landing gets the verdict that git gives it, over this server and over git alike', async () => {
  const run = { runs: RUNS, seed: SEED, workerFile: await verifierWorkerFile() };
  const found = await runLandings(run);
  expect(found.wrong).toEqual([]);
  expect(found.verdicts).toBeGreaterThan(5 * RUNS);
  expect(await runLandings({ ...run, serve: served })).toEqual(found);
}, 300_000);

it('an interrupted run returns the landings that it has judged', async () => {
  const interrupted = new AbortController();
  const run = { runs: RUNS, seed: SEED, workerFile: await verifierWorkerFile(), signal: interrupted.signal };
  const found = runLandings(run);
  interrupted.abort();
  expect(await found).toMatchObject({ reviews: 0, verdicts: 0, wrong: [] });
}, 60_000);

const base: LandingPlan = {
  code: [[], [], [], []],
  prior: [],
  ours: [],
  theirs: [[{ file: 3, whole: 'remove', number: 2 }]],
  clash: 'none',
  landing: 'squash',
  resolution: 'the source',
  choice: 0,
};

it('a squash that brings nothing is no landing', async () => {
  const workshop = await Workshop.open();
  try {
    const nothing: LandingPlan = { ...base, prior: [[{ file: 3, whole: 'remove', number: 1 }]] };
    const scenes = await makeScenes(workshop, [base, nothing]);
    expect((await landSoundly(workshop, scenes)).map(({ scene, way }) => [scene, way])).toEqual([
      [scenes[0], 'squash'],
    ]);
  } finally {
    await workshop.remove();
  }
}, 60_000);

it('a source that merges the target has its later commits on the merge, with the changes of both', async () => {
  const workshop = await Workshop.open();
  const plan: LandingPlan = {
    ...base,
    ours: [[{ file: 1, whole: 'mode', number: 1 }]],
    theirs: [[{ file: 3, whole: 'remove', number: 2 }], [{ file: 2, whole: 'mode', number: 3 }]],
  };
  try {
    const scenes = await makeScenes(workshop, [plan]);
    const [ours, first] = [scenes[0]?.ours[0], scenes[0]?.theirs[0]];
    await mergeTarget(workshop, scenes);
    const { source, base: mergeBase, ours: since, theirs } = scenes[0] as Scene;
    expect({ mergeBase, since, count: theirs.length }).toEqual({ mergeBase: ours, since: [], count: 3 });
    const log = await git(workshop.directory, ['log', '--format=%P', '--first-parent', '-2', source]);
    expect(log).toMatch(new RegExp(`^${theirs[1]}\\n${first} ${ours}\\s*$`));
    const content = (await workshop.contentsOf(await workshop.treesOf([source]))).values().next().value;
    expect(content?.get('lib/util.ts')?.mode).toBe('100755');
    expect(content?.get('lib/deep/parse.ts')?.mode).toBe('100755');
    expect(content?.has('doc/guide.md')).toBe(false);
  } finally {
    await workshop.remove();
  }
}, 60_000);
