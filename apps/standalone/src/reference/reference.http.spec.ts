import { SERVICES } from '@plat/contracts/core';
import { type Front, listen } from '../front';
import { createReference } from './reference';

let front: Front;
beforeAll(async () => {
  front = await listen(0);
  front.open({
    claim: createReference(),
    services: (_req, res) => res.writeHead(404).end(),
    onFault: (error) => {
      throw error;
    },
  });
});
afterAll(() => front.close());

describe('GET /docs', () => {
  it('is a page that offers the document of every service', async () => {
    const script = await (await fetch(`${front.baseUrl}/docs/reference.js`)).text();
    for (const name of SERVICES) expect(script).toContain(`"/docs/openapi/${name}.json"`);
  });

  it('loads nothing from elsewhere', async () => {
    const html = await (await fetch(`${front.baseUrl}/docs`)).text();
    const loaded = Array.from(html.matchAll(/(?:src|href)="([^"]+)"/g), (match) => match[1]!);
    expect(loaded).toHaveLength(4);
    for (const path of loaded) expect((await fetch(front.baseUrl + path)).status).toBe(200);
  });

  it('allows only scripts of its own origin, no frame and no sniffed content type', async () => {
    const { headers } = await fetch(`${front.baseUrl}/docs`);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(await (await fetch(`${front.baseUrl}/docs`)).text()).not.toMatch(/<script>/);
  });

  it('answers HEAD like GET, without the body', async () => {
    const answer = await fetch(`${front.baseUrl}/docs`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
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

describe('before there is anything to serve', () => {
  it('503 SERVICE_UNAVAILABLE, without a sniffed content type', async () => {
    const own = await listen(0);
    const answer = await fetch(`${own.baseUrl}/`);
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([503, 'nosniff']);
    expect(await answer.json()).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await own.close();
  });
});

describe('a listener that throws', () => {
  it('ends its request with 500, and nothing else', async () => {
    const faults: unknown[] = [];
    const own = await listen(0);
    own.open({
      claim: () => {
        throw new Error('a defect');
      },
      services: (_req, res) => res.end(),
      onFault: (error) => faults.push(error),
    });
    for (const path of ['/', '/again']) expect((await fetch(own.baseUrl + path)).status).toBe(500);
    await own.close();
    expect(faults).toEqual([new Error('a defect'), new Error('a defect')]);
  });
});
