import { peers as table } from './table.mjs';

const PEERS = /^(?:\/\*\*| \*) @peers (.+?)(?: \*\/)?$/m;
const PATHS = /^ \* @paths (.+?)(?: \*\/)?$/gm;

/**
 * Reads the first comment of a `.peers.spec.ts`: its peers (`@peers powerdns knot`), and for a file that CI may leave
 * out, since it takes more than seconds, the files and folders that its result rests on
 * (`@paths apps/plat/src/idle libs/environments`).
 *
 * @param {string} file in the repository
 * @param {string} text
 * @returns {{file: string, peers: string[], paths: string[], recipe: string}} paths: with the file itself and what its
 *   peers are built from; none if the file names none: it then runs always; recipe: what the table says of its peers
 * @throws Error if the comment names no peers
 */
export function specOf(file, text) {
  const comment = text.slice(0, text.indexOf('*/') + 2);
  const peers = PEERS.exec(comment)?.[1].split(/[ ,]+/);
  if (peers === undefined) throw new Error(`${file} does not name its peers: /** @peers powerdns */`);
  const modules = peers.flatMap((name) => table[name]?.go?.module ?? table[name]?.debianSource ?? []);
  const named = [...comment.matchAll(PATHS)].flatMap(([, list]) => list.split(/[ ,]+/));
  const paths = named.length > 0 ? [...named, file, ...modules] : [];
  return { file, peers, paths, recipe: JSON.stringify(peers.map((name) => table[name])) };
}
