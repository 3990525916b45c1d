import { SERVICES } from '@plat/contracts/core';
import { listen, type Front } from '../front';
import { createReference } from './reference';

let front: Front;
beforeAll(async () => {
  front = await listen(0);
  front.open(createReference(), (_req, res) => res.writeHead(404).end());
});
afterAll(() => front.close());

describe('GET /docs', () => {
  it('is a page that offers the document of every service', async () => {
    const html = await (await fetch(`${front.baseUrl}/docs`)).text();
    for (const name of SERVICES) expect(html).toContain(`"/docs/openapi/${name}.json"`);
  });

  it('loads nothing from elsewhere', async () => {
    const html = await (await fetch(`${front.baseUrl}/docs`)).text();
    const loaded = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), (match) => match[1]!);
    expect(loaded).toHaveLength(3);
    for (const path of loaded) expect((await fetch(front.baseUrl + path)).status).toBe(200);
  });

  it.each(SERVICES)('serves the OpenAPI 3.1 document of %s', async (name) => {
    const response = await fetch(`${front.baseUrl}/docs/openapi/${name}.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ openapi: '3.1.0' });
  });

  it.each(['/docs/package.json', '/docs/..%2f..%2fpackage.json', '/docs/openapi/none.json'])(
    'leaves %s to the services',
    async (path) => {
      expect((await fetch(front.baseUrl + path)).status).toBe(404);
    },
  );
});
