import { dirname, join, normalize } from 'node:path';

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']*)'/g;
/** Specs and conformance tests belong to no room, and may import any. */
const OUTSIDE = /\.(spec|conformance)\.ts$/;

/** The `src` of each app and lib; the tools together are one project. */
const SOURCES = /^(?:(?:apps|libs|libs\/contracts)\/[^/]+\/src|tools)(?=\/)/;

/**
 * Names the folders of all projects' sources.
 *
 * @param {{path: string}[]} files
 * @returns {string[]} each once
 */
export function sourcesOf(files) {
  return [...new Set(files.flatMap(({ path }) => SOURCES.exec(path) ?? []))];
}

/**
 * Finds the rooms of one project that import each other in a circle. A room is a folder directly below the sources, with
 * all that is in it; a file next to the rooms is a room of its own. Imports of types count, and `.tsx` is as good as `.ts`.
 *
 * @param {string} sources the folder of the project's sources
 * @param {{path: string, text: string}[]} files of the repository; those outside of the sources are left out
 * @returns {{rooms: string[], imports: string[]}[]} a circle each; its imports as `file -> file`
 */
export function circlesOf(sources, files) {
  const own = files.filter(({ path }) => path.startsWith(`${sources}/`) && !OUTSIDE.test(path));
  const roomOf = (path) =>
    path
      .slice(sources.length + 1)
      .split('/')[0]
      .replace(/\.tsx$/, '.ts');
  const arrows = own.flatMap(({ path, text }) =>
    Array.from(text.matchAll(IMPORT), ([, to]) => fileOf(join(dirname(path), to)))
      .filter((to) => to.startsWith(`${sources}/`) && roomOf(to) !== roomOf(path))
      .map((to) => ({ from: roomOf(path), to: roomOf(to), text: `${path} -> ${to}` })),
  );
  return circles(arrows).map((rooms) => ({
    rooms,
    imports: arrows
      .filter(({ from, to }) => rooms.includes(from) && rooms.includes(to))
      .map(({ text }) => text),
  }));
}

/** An import names a file without its ending, or with the one that the compiler gives it. */
const fileOf = (path) => `${normalize(path).replace(/\.[jt]s$/, '')}.ts`;

/** Sets of rooms in which imports lead from each room to every other. */
function circles(arrows) {
  const reached = new Map();
  for (const { from } of arrows) reached.set(from, reach(from, arrows));
  const leadsTo = (from, to) => reached.get(from)?.has(to) ?? false;
  const found = [];
  for (const room of [...reached.keys()].sort()) {
    if (!leadsTo(room, room) || found.some((rooms) => rooms.includes(room))) continue;
    found.push([...reached.keys()].filter((other) => leadsTo(room, other) && leadsTo(other, room)).sort());
  }
  return found;
}

function reach(start, arrows) {
  const seen = new Set();
  const waiting = [start];
  for (let room = waiting.pop(); room !== undefined; room = waiting.pop()) {
    for (const { from, to } of arrows) {
      if (from !== room || seen.has(to)) continue;
      seen.add(to);
      waiting.push(to);
    }
  }
  return seen;
}
