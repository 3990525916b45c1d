import parse from 'spdx-expression-parse';
import satisfies from 'spdx-satisfies';

/** Licences under which a package may be used, and those of a library be in what is shipped. */
const ALLOWED = [
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Zlib'],
  ...['Unlicense', 'CC0-1.0', 'Python-2.0'],
];
/** Allowed for tools alone: licences of data, with which what is shipped would have to name the authors, and rare ones. */
const ALLOWED_FOR_TOOLS = [...ALLOWED, 'CC-BY-3.0', 'CC-BY-4.0', 'Artistic-2.0', 'WTFPL', 'MPL-2.0'];

/** Packages whose manifest has no SPDX expression, with what their other files say. */
const READ_BY_HAND = {
  'passport-strategy@1.0.0': 'MIT', // LICENSE, and the old `licenses` of its manifest
  'pause@0.0.1': 'MIT', // Readme.md
  'reserved@0.1.2': 'MIT', // LICENSE-MIT
  'compute-gcd@1.2.1': 'MIT', // LICENSE, as of the five that follow
  'compute-lcm@1.1.2': 'MIT',
  'validate.io-function@1.0.2': 'MIT',
  'validate.io-integer@1.0.5': 'MIT',
  'validate.io-integer-array@1.0.0': 'MIT',
  'validate.io-number@1.0.3': 'MIT',
};

/**
 * The licence of a package in a lock file.
 *
 * @param {Record<string, LockedPackage>} packages the `packages` of package-lock.json
 * @param {string} place as `node_modules/a/node_modules/b`
 * @returns {string | undefined} an SPDX expression; undefined if none is known
 *
 * @typedef {{version: string, license?: string, dev?: boolean, os?: string[],
 *   optionalDependencies?: Record<string, string>}} LockedPackage
 */
export function licenceOf(packages, place) {
  const { license, version, os } = packages[place];
  const name = place.replace(/.*node_modules\//, '');
  if (license !== undefined) return license;
  // A package for one platform is a part of the one that asks for it; the lock file has no more of it.
  const whole =
    os && Object.values(packages).find(({ optionalDependencies }) => optionalDependencies?.[name]);
  return whole ? whole.license : READ_BY_HAND[`${name}@${version}`];
}

/**
 * The packages of a lock file whose licence is not on the list, is unknown, or is no SPDX expression.
 *
 * @param {Record<string, LockedPackage>} packages
 * @param {boolean} [shipped] whether those that are no development dependencies are in what is shipped, as those of the
 *   repository's own lock file are
 * @returns {string[]} a line each
 */
export function faultsOf(packages, shipped = true) {
  return Object.keys(packages)
    .filter((place) => place !== '')
    .flatMap((place) => {
      const { dev, version } = packages[place];
      const licence = licenceOf(packages, place);
      return judge(licence, shipped && !dev ? ALLOWED : ALLOWED_FOR_TOOLS).map(
        (fault) => `${place.replace(/^node_modules\//, '')}@${version}: ${fault}`,
      );
    });
}

function judge(licence, allowed) {
  if (licence === undefined) return ['no licence is known'];
  try {
    parse(licence);
  } catch {
    return [`'${licence}' is no SPDX expression`];
  }
  return satisfies(licence, allowed)
    ? []
    : [`${licence} is not on the list of tools/check/licences/licences.mjs`];
}
