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
