const UNREACHABLE =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/;

const SENTENCES = [
  [
    /\bENOSPC\b/,
    () => 'The disk is full: free some space (the packages take about 1 GB), then repeat the command.',
  ],
  [
    /\b(?:EACCES|EPERM|EROFS)\b/,
    (root) =>
      `npm may not write in ${root} or in its cache: give your user both folders (npm config get cache), then repeat the command.`,
  ],
  [
    UNREACHABLE,
    () =>
      'The registry of npm is not reachable: check the network, and registry, proxy and https-proxy in npm config list, then repeat the command.',
  ],
  [
    /\b(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT_LOCALLY|UNABLE_TO_VERIFY_LEAF_SIGNATURE)\b/,
    () =>
      'The certificate of the registry is signed by an authority that Node does not know: name its file in NODE_EXTRA_CA_CERTS, then repeat the command.',
  ],
];

/**
 * The sentence that says what to do after an installation that failed; undefined if npm's own words are all there is.
 *
 * @param {string} output of npm
 * @param {string} root the folder of node_modules
 */
export function adviceOf(output, root) {
  const known = SENTENCES.find(([pattern]) => pattern.test(output));
  return known && known[1](root);
}
