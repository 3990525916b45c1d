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
 * The places of the packages that the lock file takes from elsewhere than the registry's page of their own name: who wrote
 * the line chose the content, hash included, and only its name and version look like the package.
 *
 * @param {Record<string, any>} packages the `packages` of a lock file
 * @returns {string[]}
 */
export function placesFromElsewhere(packages) {
  return Object.entries(packages)
    .filter(([place, { link, resolved, name }]) => {
      const own = name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return place !== '' && !link && resolved !== undefined && !resolved.startsWith(`${REGISTRY}${own}/-/`);
    })
    .map(([place]) => place);
}
