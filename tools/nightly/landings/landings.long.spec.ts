import { git, verifierWorkerFile } from '@plat/testing';
import { serveByOneUploadPack } from '../histories/upload-pack-server';
import { findAmbiguous } from './ambiguous';
import { mergeTarget } from './merged-target';
import type { LandingPlan } from './plan';
import { resolveAll } from './resolve';
import { runLandings, type ServeRepository } from './run-landings';
import { landAll, makeScenes, type Scene } from './scenes';
import { landSoundly, type Sound } from './sound';
import { Workshop } from './workshop';

/** The same landings in every run; the nightly tests use new ones. */
const SEED = 1;
const RUNS = 8;

const served: ServeRepository = async (directory, refs) => {
  const updates = Object.entries(refs).map(([name, id]) => `update ${name} ${id}\n`);
  await git(directory, ['update-ref', '--stdin'], { input: updates.join('') });
  return serveByOneUploadPack(directory);
};

it('no corrupt landing passes and no sound one is refused, over this server and over git alike', async () => {
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
    const [something, none] = await landSoundly(workshop, await makeScenes(workshop, [base, nothing]));
    expect(something).toMatchObject({ way: 'squash' });
    expect(none).toBeUndefined();
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

it('a decided landing is ambiguous if landing an earlier commit of the source gives the same content', async () => {
  const workshop = await Workshop.open();
  const replaced = (number: number, text: '{' | '}' | '*/') =>
    ({ file: 0, edit: { do: 'replace', at: 4, block: { kind: 'line', text } }, number }) as const;
  const plan: LandingPlan = {
    ...base,
    ours: [[replaced(1, '*/'), { file: 1, whole: 'mode', number: 4 }]],
    theirs: [[replaced(2, '{')], [replaced(3, '}')]],
  };
  try {
    const [sound] = (await landSoundly(workshop, await makeScenes(workshop, [plan]))) as [Sound];
    const { parent, scene } = sound;
    const request = { ours: parent, theirs: scene.theirs[0] as string, parents: [parent], number: 0 };
    const [earlier] = await landAll(workshop, [{ ...request, resolution: 'the source' }]);
    const unclear = { ...sound, ...earlier };
    expect(sound.isClean).toBe(false);
    expect(await findAmbiguous(workshop, [sound, unclear])).toEqual(new Set([unclear]));
  } finally {
    await workshop.remove();
  }
}, 60_000);

it('a decided landing is ambiguous if an older commit has fewer conflicts, and the same content with the others decided as there', async () => {
  const workshop = await Workshop.open();
  const replaced = (number: number, at: number, text: '{' | '}') =>
    ({ file: 0, edit: { do: 'replace', at, block: { kind: 'line', text } }, number }) as const;
  const plan: LandingPlan = {
    ...base,
    ours: [[replaced(1, 1, '{')], [replaced(2, 6, '{')]],
    theirs: [[replaced(3, 1, '}'), replaced(4, 6, '}')]],
    resolution: 'target first',
  };
  try {
    const [sound] = (await landSoundly(workshop, await makeScenes(workshop, [plan]))) as [Sound];
    const conflicts = [...(sound.decided.get('main.ts')?.decisions?.keys() ?? [])];
    expect(conflicts).toHaveLength(2);
    const known = new Map(conflicts.map((key, index) => [key, index === 0 ? ['by hand'] : sourceIn(key)]));
    const { parent, scene } = sound;
    const request = { ours: parent, theirs: scene.source, parents: [parent], number: 0 };
    const [decided] = await landAll(workshop, [{ ...request, resolution: 'target first', known }]);
    const unclear = { ...sound, ...decided };
    expect(await findAmbiguous(workshop, [sound, unclear])).toEqual(new Set([unclear]));
  } finally {
    await workshop.remove();
  }
}, 60_000);

const sourceIn = (conflict: string): string[] => (JSON.parse(conflict) as { theirs: string[] }).theirs;

const merge = {
  clean: false,
  tree: '',
  contradictions: [{ path: 'app', stages: { 1: '100644 base', 2: '100644 ours', 3: '100644 theirs' } }],
};

/** @param target default: the conflict's own lines of the target, with all lines beside it */
function decided(conflict: string, base: string, target?: string) {
  const content = new Map([['app', { mode: '100644', content: conflict } as const]]);
  const theirs = conflict.replace(/<<<<<<< ours\n[^]*?=======\n([^]*?)>>>>>>> theirs\n/g, '$1');
  const ours = target ?? conflict.replace(/<<<<<<< ours\n([^]*?)=======\n[^]*?>>>>>>> theirs\n/g, '$1');
  const files = { content, blobs: new Map(Object.entries({ base, ours, theirs })) };
  return resolveAll(merge, files, { resolution: 'source first', number: 1 })?.get('app')?.entry;
}

it('a conflict whose combination equals the base is decided for the source', () => {
  const conflict = 'kept\n<<<<<<< ours\nsecond\n=======\nfirst\n>>>>>>> theirs\nkept\n';
  expect(decided(conflict, 'kept\nfirst\nsecond\nkept\n')).toMatchObject({ content: 'kept\nfirst\nkept\n' });
  expect(decided(conflict, 'kept\nkept\n')).toMatchObject({ content: 'kept\nfirst\nsecond\nkept\n' });
});

it('lines that the source deleted are not put together with those that it added', () => {
  const conflict = '<<<<<<< ours\ngone\n}\nof others\n=======\nnew\n>>>>>>> theirs\n}\n';
  expect(decided(conflict, 'gone\n}\n}\n')).toMatchObject({ content: 'new\nof others\n}\n' });
});

it('a line that the source moved is not put together with its new place', () => {
  const conflict = '<<<<<<< ours\nmoved\nof others\n=======\nnew\n>>>>>>> theirs\nlast\nmoved\n';
  expect(decided(conflict, 'moved\nlast\n', 'moved\nof others\nlast\n')).toMatchObject({
    content: 'new\nof others\nlast\nmoved\n',
  });
});

it('undisputed lines between two conflicts stay, even if the file begins with a conflict', () => {
  const conflict = (mine: string) => `<<<<<<< ours\n=======\n${mine}\n>>>>>>> theirs\n`;
  expect(decided(`${conflict('one')}of others\n${conflict('two')}`, '')).toMatchObject({
    content: 'one\nof others\ntwo\n',
  });
});
