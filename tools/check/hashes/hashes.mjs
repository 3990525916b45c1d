const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * The places of the packages that the lock file fixes by no hash: whoever serves the registry could put other content
 * there. Links to folders of the repository have none, nor has the repository's own entry.
 *
 * @param {Record<string, any>} packages the `packages` of a lock file
 * @returns {string[]}
 */
export function placesWithoutHash(packages) {
  return Object.entries(packages)
    .filter(([place, { link, integrity }]) => place !== '' && !link && !SHA512.test(integrity ?? ''))
    .map(([place]) => place);
}

/** Where npm finds a package whose address is not in the lock file. */
const REGISTRY = 'https://registry.npmjs.org/';

/**
 * The places that stand for a package of another name because a package asks for it so. npm believes a lock file about it, and
 * the lock file says what its packages ask for, so a new one is added here by a person.
 */
const ALIASES = {
  '@jest/react-is-18': 'react-is',
  '@jest/react-is-19': 'react-is',
  'string-width-cjs': 'string-width',
  'strip-ansi-cjs': 'strip-ansi',
  'wrap-ansi-cjs': 'wrap-ansi',
};

/**
 * The places of the packages that the lock file takes from elsewhere than the registry's archive of their own name and
 * version: who wrote the line chose the content, hash included, and only its name and version look like the package. A link
 * is one of them, because no hash holds what it leads to.
 *
 * @param {Record<string, any>} packages the `packages` of a lock file
 * @param {object} [manifest] the package.json next to it, whose aliases hold
 * @returns {string[]}
 */
export function placesFromElsewhere(packages, { dependencies, devDependencies, optionalDependencies } = {}) {
  const asked = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  const aliases = {
    ...ALIASES,
    ...Object.fromEntries(asked.map(([place, range]) => [place, /^npm:(.+)@/.exec(range)?.[1]])),
  };
  return Object.entries(packages)
    .filter(([place, { link, resolved, name, version }]) => {
      if (place === '') return false;
      const own = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const named = name ?? own;
      if (link || (named !== own && aliases[own] !== named)) return true;
      const archive = `${REGISTRY}${named}/-/${named.replace(/^@[^/]+\//, '')}-${version}.tgz`;
      return resolved !== undefined && resolved !== archive;
    })
    .map(([place]) => place);
}
