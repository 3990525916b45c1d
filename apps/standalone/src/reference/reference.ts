import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SERVICES } from '@plat/contracts/core';
import type { Claim } from '../front';
import { documents } from './documents';
import { REFERENCE_HEADERS, referencePage, referenceScript } from './reference-page';

/** The files of swagger-ui that the page loads; nothing else of the package can be reached. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui-standalone-preset.js': 'text/javascript',
};

interface Page {
  type: string;
  read(): Promise<string | Buffer>;
}

/** Serves the API reference at `/docs`: the page, its assets and the OpenAPI documents. Public, and not audited. */
export function createReference(): Claim {
  const pages = referencePages();
  return (req, res) => {
    const [path = ''] = (req.url ?? '').split('?', 1);
    const page = req.method === 'GET' || req.method === 'HEAD' ? pages.get(path) : undefined;
    if (!page) return false;
    page.read().then(
      (content) =>
        res
          .writeHead(200, { ...REFERENCE_HEADERS, 'content-type': `${page.type}; charset=utf-8` })
          .end(content),
      (error: Error) => res.destroy(error),
    );
    return true;
  };
}

function referencePages(): Map<string, Page> {
  const pages = new Map<string, Page>();
  const urls = SERVICES.map((name) => ({ name, url: `/docs/openapi/${name}.json` }));
  pages.set('/docs', { type: 'text/html', read: () => Promise.resolve(referencePage) });
  pages.set('/docs/reference.js', {
    type: 'text/javascript',
    read: () => Promise.resolve(referenceScript(urls)),
  });
  for (const [name, type] of Object.entries(ASSETS)) {
    pages.set(`/docs/${name}`, { type, read: () => readFile(join(assetFolder(), name)) });
  }
  for (const { name, url } of urls) {
    pages.set(url, {
      type: 'application/json',
      read: () => Promise.resolve(JSON.stringify(documents[name])),
    });
  }
  return pages;
}

const assetFolder = (): string => dirname(require.resolve('swagger-ui-dist/package.json'));
