import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead } from './ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
let anchorCommitId: string;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

const two = { 'app.txt': text({ two: 'TWO' }) };

/** Makes the branch `topic`, and then a commit of others on the target, which is the merge before in the queue. */
async function start(topic: readonly FileChanges[], target: FileChanges): Promise<void> {
  await scene.topic(...topic);
  anchorCommitId = await scene.remote.commit(target);
}

async function judge(): Promise<string> {
  const judged = await judgeHead(scene.remote, { anchorCommitId });
  return judged.verdict === 'EXACT' ? 'EXACT' : `${judged.verdict} ${judged.reason}`;
}

/** Landings made by hand. The verdict of each stands in the words of docs/verification.md. */
const LANDINGS: [words: string, verdict: string, land: () => Promise<unknown>][] = [
  [
    'One side moved a file, the other one edited it, and the landing has the edit at the new path',
    'EXACT',
    async () => {
      await start([two], { 'app.txt': null, 'src/app.txt': text() });
      await scene.remote.commit({ 'src/app.txt': text({ two: 'TWO' }) });
    },
  ],
  [
    'The landing has another change as well',
    'DIVERGENT extra_content',
    async () => {
      await start([two], { other: 'o\n' });
      await scene.squash({ more: 'm\n' });
    },
  ],
  [
    "A squash was made on an older commit of the target, and others' work elsewhere is gone",
    'DIVERGENT target_change_undone',
    async () => {
      await start([two], { other: 'o\n' });
      await scene.landOnWrongBase('topic~1');
    },
  ],
  [
    'Only the first commits of the source landed',
    'DIVERGENT source_change_missing',
    async () => {
      await start([two, { new: 'n\n' }], { other: 'o\n' });
      await scene.remote.cherryPick('topic~1');
    },
  ],
  [
    'A commit after an exact squash drops a hunk, and that commit was reported',
    'DIVERGENT source_change_missing',
    async () => {
      await start([{ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) }], { other: 'o\n' });
      await scene.squash();
      await scene.remote.commit({ 'app.txt': text({ nine: 'NINE' }) });
    },
  ],
  [
    "The source's commits landed one by one, each EXACT on the commit before it",
    'SAME_CHANGE rebased',
    async () => {
      await start([two, { new: 'n\n' }], { other: 'o\n' });
      await scene.remote.cherryPick('topic~1', 'topic');
    },
  ],
  [
    'The reported commit brings nothing of the source; another one since the merge before is EXACT',
    'SAME_CHANGE other_commit',
    async () => {
      await start([two], { other: 'o\n' });
      await scene.squash();
      await scene.remote.commit({ more: 'm\n' });
    },
  ],
  [
    'The landing is EXACT, but another commit since the merge before brought a part of the source',
    'BY_HAND earlier_commits',
    async () => {
      await start([{ ...two, new: 'n\n' }], { other: 'o\n' });
      await scene.remote.commit(two);
      await scene.squash();
    },
  ],
  [
    'The place of a conflict has anything that a person wrote',
    'BY_HAND conflict_resolved',
    async () => {
      await start([{ ...two, new: 'n\n' }], { 'app.txt': text({ two: 'Two' }) });
      await scene.remote.commit({ 'app.txt': text({ two: 'Two, TWO' }), new: 'n\n' });
    },
  ],
  [
    "The place of a conflict has the target's side alone",
    'DIVERGENT source_change_missing',
    async () => {
      await start([{ ...two, new: 'n\n' }], { 'app.txt': text({ two: 'Two' }) });
      await scene.remote.commit({ new: 'n\n' });
    },
  ],
  [
    'The place of a conflict has the markers',
    'DIVERGENT extra_content',
    async () => {
      await start([two], { 'app.txt': text({ two: 'Two' }) });
      await scene.remote.commit({ 'app.txt': text({ two: '<<<<<<< a\nTwo\n=======\nTWO\n>>>>>>> b' }) });
    },
  ],
  [
    'A binary file that both sides changed landed as the source has it',
    'BY_HAND conflict_resolved',
    async () => {
      await scene.remote.commit({ image: Buffer.from([0, 1]) });
      await start([{ image: Buffer.from([0, 2]) }], { image: Buffer.from([0, 3]) });
      await scene.remote.commit({ image: Buffer.from([0, 2]) });
    },
  ],
  [
    'A formatter ran on the landing',
    'DIVERGENT layout',
    async () => {
      await start([two], { other: 'o\n' });
      await scene.squash({ 'lib/util.txt': text({ five: '  five;' }) });
    },
  ],
  [
    'A file that the source added is in the folder to which the target moved its neighbours',
    'DIVERGENT source_change_missing',
    async () => {
      await start([{ 'lib/new.txt': 'new\n' }], { 'lib/util.txt': null, 'src/util.txt': text() });
      await scene.remote.commit({ 'src/new.txt': 'new\n' });
    },
  ],
  [
    'An empty or foreign commit was reported, and no commit since the merge before is EXACT',
    'UNKNOWN landing_not_found',
    async () => {
      await start([two], two);
      await scene.remote.commit();
    },
  ],
];

it.each(LANDINGS)('%s: %s', async (_, verdict, land) => {
  await land();
  expect(await judge()).toBe(verdict);
});
