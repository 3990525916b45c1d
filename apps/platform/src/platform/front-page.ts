import type { Platform } from '@plat/contracts/platform';

/** Headers that permit the page's own inline style, and no script or frame. */
export const FRONT_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  vary: 'accept',
};

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 42rem; padding: 3rem 1rem; font: 16px/1.6 system-ui, sans-serif; }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8888; border-radius: 8px; }`;

/** The page that a browser shows at the API's address: what this is, and where to go. */
export function frontPage(platform: Platform): string {
  const { brand, apiUrl, consoleUrl, docsUrl } = platform;
  const name = escapeHtml(brand || 'plat');
  const links = [
    link(consoleUrl, 'The console', 'shows the merge queues'),
    link(docsUrl, 'The documentation', 'says what each request takes and answers'),
    link('/v1/platform', 'This deployment', 'as clients read it, in JSON'),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${name}</h1>
<p>This is the API of a merge queue that trusts no report: reviews wait in a queue, a client reports each merge, and the
service reads the repository itself before it accepts a merge.</p>
<p>You use it from the command line:</p>
<pre>plat cloud init my-alias --api-url ${escapeHtml(apiUrl || 'https://…')}
plat cloud login --alias my-alias
plat review list --alias my-alias</pre>
<ul>
${links.filter(Boolean).join('\n')}
</ul>
</body>
</html>
`;
}

/** One entry; empty if the deployment has no such URL. */
function link(url: string, title: string, purpose: string): string {
  return url === '' ? '' : `<li><a href="${escapeHtml(url)}">${title}</a> ${purpose}.</li>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
