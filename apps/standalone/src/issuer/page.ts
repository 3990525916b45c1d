import type { ServerResponse } from 'node:http';

const STYLE = `
:root { color-scheme: light dark; --line: #c9d1da; --ink: #17212b; --soft: #566472; --page: #f3f5f7; --card: #fff; --accent: #1557b0; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3a4653; --ink: #e8edf2; --soft: #a7b3bf; --page: #12171c; --card: #1b232b; --accent: #8ab8f7; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; }
p { margin: 0 0 1rem; color: var(--soft); }
code { font-size: 1.5rem; letter-spacing: .1em; color: var(--ink); }
ul { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .5rem; }
label { display: block; margin-bottom: .25rem; }
button, input[type="text"] { width: 100%; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: var(--ink); font: inherit; text-align: left; }
input[type="text"] { margin-bottom: 1rem; letter-spacing: .1em; text-transform: uppercase; }
button { cursor: pointer; }
button:hover { border-color: var(--accent); }
button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
button strong { display: block; }
button small { color: var(--soft); font-size: .9rem; }
.actions { display: flex; gap: .5rem; }
.actions button, button.plain { text-align: center; }
.primary { background: var(--accent); border-color: var(--accent); color: var(--card); }
[role="alert"] { color: inherit; border-left: 4px solid #c62828; padding-left: .75rem; }
`;

/**
 * Headers of every answer of an issuer. They permit the pages' inline style, no script, and no frame around a page on
 * which people grant access. For the page that submits itself, the provider adds the hash of that page's script.
 */
export const ISSUER_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export const PAGE_HEADERS = {
  ...ISSUER_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
};

/** Text from outside, made safe inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A whole page; `title` is plain text, `content` is HTML whose parts are already escaped. */
export function page(title: string, content: string): string {
  const safeTitle = escapeHtml(title);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safeTitle} · plat local sign-in</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${safeTitle}</h1>
${content}
</main>
</body>
</html>`;
}

export function sendPage(res: ServerResponse, status: number, html: string): void {
  res.writeHead(status, PAGE_HEADERS).end(html);
}
