import { createRequire } from 'node:module';

/**
 * The commands of `npm run`, by name, in the order in which a contributor needs them. `bare` commands run without any
 * installed package.
 * @type {Record<string, {summary: string, bare?: true, run: (args: string[]) => Promise<void> | void}>}
 */
export const commands = {
  start: {
    summary: 'the whole service on this machine (-- --watch reloads it at each change; -- --help)',
    run: app('apps/standalone'),
  },
  plat: { summary: 'the command-line client (-- review list)', run: plat },
  demo: {
    summary: 'the main job from review to release, step by step',
    run: typescript('tools/demo/main.ts'),
  },
  test: { summary: 'all tests (-- --changed, -- <jest arguments>)', run: module('./test/main.mjs') },
  check: {
    summary: 'everything else that must hold: format, lint, types, builds, drift',
    run: module('./check/main.mjs'),
  },
  format: { summary: 'formats all sources', run: module('./format.mjs') },
  generate: {
    summary: 'writes what is derived: OpenAPI, client, edge routes, schemas, docs (-- --check)',
    run: typescript('tools/generate/main.ts'),
  },
  'test:long': {
    summary: 'the tests of minutes: long journeys, generated rounds, races (-- <jest arguments>)',
    run: module('./test/long.mjs'),
  },
  'test:peers': {
    summary: 'the tests that need Debian packages or Go, which it installs (-- <jest arguments>)',
    run: module('./peers/main.mjs'),
  },
  'test:tiers': { summary: 'what each tier of tests costs', run: module('./test/table.mjs') },
  figures: { summary: 'how many lines the repository has, by what they are', run: module('./figures.mjs') },
  db: { summary: 'the database: -- migrate, -- status', run: typescript('tools/db/main.ts') },
  invariants: {
    summary: 'looks for rows that break a promise in DATABASE_URL; reads only',
    run: typescript('tools/db/invariants.ts'),
  },
  build: { summary: 'bundles every app into dist/', run: module('./build/all.mjs') },
  golden: {
    summary: 'renders the golden cases of the charts, with helm, which it builds',
    run: module('./deployment/golden.mjs'),
  },
  bench: {
    summary: 'what it costs, compared with the limit of this machine (-- --help lists the parts)',
    run: typescript('tools/bench/main.ts'),
  },
  nightly: {
    summary: 'the long tests: thousands of generated cases (-- --help lists the steps)',
    run: typescript('tools/nightly/main.ts'),
  },
  release: {
    summary: 'a release by version: tag, changelog, provenance (-- without arguments: its commands)',
    run: module('./release/main.mjs'),
  },
  help: { summary: 'this list', bare: true, run: help },
};

function app(projectRoot) {
  return async (args) => {
    if (args.includes('--watch')) {
      const { watchApp } = await import('./build/watch-app.mjs');
      await watchApp(projectRoot, args);
    } else {
      const { runApp } = await import('./build/run-app.mjs');
      await runApp(projectRoot, args);
    }
  };
}

async function plat(args) {
  const { freshPlat } = await import('../apps/plat/build.mjs');
  const entry = await freshPlat();
  process.argv = [process.argv[0], entry, ...args];
  createRequire(import.meta.url)(entry);
}

function typescript(entry) {
  return async (args) => {
    const { runTypeScript } = await import('./build/run-ts.mjs');
    await runTypeScript(entry, args);
  };
}

function module(path) {
  return async (args) => (await import(path)).main(args);
}

function help() {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  npm run ${name.padEnd(width)}  ${summary}`,
  );
  process.stdout.write(`${lines.join('\n')}\n`);
}
