const LENGTH_MAX = 253;
const PART = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = new RegExp(`^${PART}(?:\\.${PART})+$`);
const SUBDOMAIN = new RegExp(`^${PART}(?:\\.${PART})*$`);

/** Whether the text is a domain of two or more labels, in lower case and without a dot at its end. RFC 1035. */
export function isDomain(text: string): boolean {
  return text.length <= LENGTH_MAX && DOMAIN.test(text);
}

/** Whether the text can name a Kubernetes object such as a class of ingresses: one label or more. RFC 1123. */
export function isSubdomain(text: string): boolean {
  return text.length <= LENGTH_MAX && SUBDOMAIN.test(text);
}
