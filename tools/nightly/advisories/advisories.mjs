import { join } from 'node:path';
import { runCommand } from '../../peers/run-command.mjs';

/**
 * Reads the report of npm's registry on the packages of a lock file.
 *
 * @param {string} root the folder of package-lock.json
 * @param {string} [registry] default: the one that npm is set up for
 * @returns {Promise<Report>}
 * @throws Error if the registry cannot be asked: no answer is no good news
 *
 * @typedef {{vulnerabilities: Record<string, {nodes: string[], via: (string | Advisory)[]}>}} Report
 * @typedef {{title: string, url: string, severity: string, range: string}} Advisory
 */
export async function readAdvisories(root, registry) {
  const from = registry === undefined ? [] : [`--registry=${registry}`];
  const { stdout, output } = await runCommand('npm', ['audit', '--package-lock-only', '--json', ...from], {
    cwd: root,
  });
  const report = parsed(stdout);
  // npm ends with 1 as well if there are advisories.
  if (report?.vulnerabilities === undefined) throw new Error(`npm audit has no answer:\n${output}`);
  return report;
}

/**
 * The high and critical advisories on packages of which a part is in a bundle.
 *
 * @param {Report} report
 * @param {Iterable<string>} places of the packages in the bundles, as package-lock.json names them
 * @returns {{reachable: string[], others: number}} a line each; others: high ones of packages that are in no bundle
 */
export function judge({ vulnerabilities }, places) {
  const bundled = new Set(places);
  const high = Object.entries(vulnerabilities).flatMap(([name, { nodes, via }]) =>
    via
      .filter((advisory) => typeof advisory === 'object' && ['high', 'critical'].includes(advisory.severity))
      .map(({ title, url, severity, range }) => ({
        bundled: nodes.some((node) => bundled.has(node)),
        line: `${name} ${range}: ${severity}: ${title} (${url}), at ${nodes.map((node) => join(node)).join(', ')}`,
      })),
  );
  const reachable = high.filter((advisory) => advisory.bundled).map(({ line }) => line);
  return { reachable, others: high.length - reachable.length };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
