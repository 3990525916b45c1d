import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { outcome, step, stepsBegun, Unexpected } from './report';
import { Stage } from './stage';
import { play } from './story';

const workspaceRoot = process.cwd();

/** The main job, driven as a person would; ends with 0 only if every step came out as it should. */
async function demo(): Promise<void> {
  const startedAt = Date.now();
  step('The whole service, on fresh data and a free port');
  const stage = await Stage.set(await buildClient());
  const stop = (): void => void stage.strike().then(() => (process.exitCode = 130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    outcome(`it answers at ${stage.apiUrl}`);
    await play(stage);
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop);
    await stage.strike();
  }
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `\nAll ${stepsBegun()} steps came out as they should, in ${seconds} s. Keep a service of your own: npm start\n`,
  );
}

/** Builds the client by the client's own build.mjs, if its sources are newer than its bundle. */
async function buildClient(): Promise<string> {
  const recipe = pathToFileURL(join(workspaceRoot, 'apps/plat/build.mjs')).href;
  const { freshPlat } = (await import(recipe)) as { freshPlat(): Promise<string> };
  return freshPlat();
}

demo().catch((error: unknown) => {
  const reason = error instanceof Unexpected ? error.message : error;
  process.stderr.write(`\nThe demo went wrong in step ${stepsBegun()}.\n${String(reason)}\n`);
  process.exitCode = 1;
});
