/** The part of a URL before its host, up to the last `@`, of any length: a token of a CI job has thousands of characters. */
const USERINFO = /\b([a-z][a-z0-9+.-]{0,30}):\/\/([^\s/?#"<>]*)@/gi;
/** In URLs of these schemes a user name alone is a token: a registry or a forge takes it in place of a password. */
const HTTP = /^(?:[a-z]+\+)?https?$/i;

const SECRET_VALUES = [
  /\b(?:proxy-)?authorization["']?\s*[:=]\s*\S/i,
  /\b(?:private-token|job-token|(?:x-)?api-?key)\s*[:=]\s*\S/i,
  /\bbearer\s+\S{8}/i,
  // The words of a connection string, and the query of a database's URL.
  /(?:^|[?&;\s])(?:password|passwd|accountkey|sharedaccesskey)=[^\s&;]/i,
  // In a connection string alone: in a shell's text it is a folder.
  /;pwd=[^\s;]/i,
  // A field of JSON.
  /"(?:[a-z_-]{0,40}(?:token|password|secret)|auth)"\s*:\s*"[^"]/i,
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY/,
  /\beyJ[\w-]{8,2048}\.[\w-]+\./,
  /\b(?:gh[opsur]_|github_pat_|glpat-)[\w.-]{16}/,
  // Keys of models, payments, registries, and chats.
  /\b(?:sk-|[rs]k_(?:live|test)_|npm_|pypi-|hf_|xox[a-z]-|AIza)[\w-]{16}/,
  // Whoever has the address of a webhook may write there.
  /\/\/(?:hooks\.slack\.com|discord(?:app)?\.com\/api\/webhooks|[\w-]{1,63}\.webhook\.office\.com)\/\S/i,
];

/** Whether the text contains a credential, by its form. Each pattern takes time in proportion to the text's length. */
export function containsSecret(text: string): boolean {
  return hasCredentials(text) || SECRET_VALUES.some((pattern) => pattern.test(text));
}

/** Whether a URL in the text has a password, or a token in its place. `ssh://git@host` has none. */
function hasCredentials(text: string): boolean {
  for (const [, scheme = '', userinfo = ''] of text.matchAll(USERINFO)) {
    const [user = '', ...password] = userinfo.split(':');
    if (password.join(':') !== '' || (HTTP.test(scheme) && user !== '')) return true;
  }
  return false;
}
