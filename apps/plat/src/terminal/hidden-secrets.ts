/** A shorter text is no secret, and could be a part of any word. */
const LENGTH_MIN = 8;
/** A process that runs for days renews its tokens again and again. */
const SECRETS_MAX = 64;

const secrets = new Set<string>();

/**
 * Masks the text in everything that this process prints from now on. Called with each token that is sent: a server may
 * repeat it in a message.
 *
 * @returns the text
 */
export function hideInOutput(secret: string): string {
  // The forms in which an address and a text of JSON repeat it.
  for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
    if (form.length < LENGTH_MIN) continue;
    secrets.delete(form);
    secrets.add(form);
  }
  for (const oldest of secrets) {
    if (secrets.size <= SECRETS_MAX) break;
    secrets.delete(oldest);
  }
  return secret;
}

/** The text with `***` in the place of each hidden secret. */
export function withoutHidden(text: string): string {
  let shown = text;
  for (const secret of secrets) shown = shown.replaceAll(secret, '***');
  return shown;
}
