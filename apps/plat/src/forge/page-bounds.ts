import { Failure } from '../terminal/failure';

/** Most pages of one listing that are read: with pages of 100 entries, 100,000 of them. */
const PAGES_MAX = 1000;

/**
 * Refuses an address at another place than the forge. The library follows the addresses of further pages that an answer
 * names, and sends the token there.
 *
 * @param url absolute, or a path of the API
 * @throws Failure FORGE_REFUSED
 */
export function expectOwnAddress(url: string, baseUrl: string): void {
  const { origin } = new URL(baseUrl);
  if (new URL(url, baseUrl).origin === origin) return;
  throw new Failure(
    'FORGE_REFUSED',
    `The forge at ${origin} names a further page at another place: ${url}.`,
    {
      next: 'give the address by which the forge calls itself: --forge-url',
    },
  );
}

/** Counts the pages of one listing. @throws Failure FORGE_REFUSED for one without an end */
export function pageCounter(): () => void {
  let pages = 0;
  return () => {
    pages += 1;
    if (pages <= PAGES_MAX) return;
    throw new Failure('FORGE_REFUSED', `The forge shows a listing of more than ${PAGES_MAX} pages.`);
  };
}
