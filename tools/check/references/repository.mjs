import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Contract } from './contract.mjs';
import { anchorsOf, linksOf } from './markdown.mjs';
import { namedRules } from './named-rules.mjs';

const FOLDERS = ['apps', 'libs', 'tools', 'docs', 'deploy'];
const TEXTS = /(\.(md|ts|[cm]?js|sql|conf|sh|ya?ml)|Dockerfile)$/;
/** Files that are made from other sources, which are read themselves. */
const SKIPPED = /(^|\/)(node_modules|dist|generated|go\.sum)(\/|$)/;
const CONTRACT = 'docs/contract';

/**
 * Finds the references of a repository to rules that its docs/contract lacks, and the broken links of its documents.
 *
 * @param {string} root
 * @returns {{faults: string[], references: number, links: number}} each fault as `file:line: what`
 */
export function examine(root) {
  const files = filesOf(root).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const documents = new Map(files.filter(isDocument).map(({ path, text }) => [path, text]));
  const contract = new Contract(contractOf(documents));
  const rules = files.flatMap((file) => rulesOf(file).map((rule) => ({ ...rule, path: file.path })));
  const links = [...documents].flatMap(([path, text]) =>
    linksOf(text).map((link) => ({ ...link, from: path })),
  );
  return {
    faults: [
      ...contract.faults.map((fault) => `${CONTRACT}/${fault}`),
      ...rules.flatMap((rule) => faultsOfRule(rule, { root, contract })),
      ...links.flatMap((link) => faultsOfLink(link, { root, documents })),
    ],
    references: rules.length,
    links: links.length,
  };
}

const isDocument = ({ path }) => path.endsWith('.md');
const rulesOf = (file) => namedRules(file.text, { isDocument: isDocument(file) });

/**
 * The texts of a repository that are written by hand, generated ones left out.
 *
 * @param {string} root
 * @returns {string[]} sorted paths below the root
 */
export function filesOf(root) {
  const inFolders = FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1)),
  );
  const atRoot = readdirSync(root).filter((name) => name.endsWith('.md'));
  return [...atRoot, ...inFolders].filter((path) => TEXTS.test(path) && !SKIPPED.test(path)).sort();
}

function contractOf(documents) {
  const own = [...documents].filter(([path]) => dirname(path) === CONTRACT);
  return Object.fromEntries(own.map(([path, text]) => [path.slice(CONTRACT.length + 1), text]));
}

function faultsOfRule({ kind, text, path, line }, { root, contract }) {
  if (kind === 'path') return isOneDocument(root, text) ? [] : [`${path}:${line}: there is no ${text}`];
  const { missing } = contract.resolve({ kind, text });
  return missing.map((words) => `${path}:${line}: ${CONTRACT} has no rule for "${words}"`);
}

/** A path, or the beginning of exactly one file's name, such as a record by its number. */
function isOneDocument(root, path) {
  if (existsSync(join(root, path))) return true;
  const folder = join(root, dirname(path));
  const start = path.slice(path.lastIndexOf('/') + 1);
  return (
    existsSync(folder) && readdirSync(folder).filter((name) => name.startsWith(`${start}-`)).length === 1
  );
}

function faultsOfLink({ path, anchor, from, line }, { root, documents }) {
  const target = path === '' ? from : normalize(join(dirname(from), decodeURIComponent(path)));
  if (!existsSync(join(root, target))) {
    return [`${from}:${line}: the link leads to ${target}, which is not there`];
  }
  if (anchor === undefined) return [];
  const text = documents.get(target);
  const known = text !== undefined && anchorsOf(text).some(({ id }) => id === anchor);
  return known ? [] : [`${from}:${line}: ${target} has no anchor #${anchor}`];
}
