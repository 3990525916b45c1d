import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, ERRORS } from '@plat/contracts/core';
import { anchorsOf, linksOf } from '../check/references/markdown.mjs';
import { renderErrors } from './errors-page';

/** The section of each code: from its heading to the next one. */
const sections = () =>
  new Map(
    renderErrors()
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.split('\n', 1)[0] ?? '', text]),
  );

describe('docs/errors.md', () => {
  it('has a heading for every code of the registry, and for no other', () => {
    expect([...sections().keys()]).toEqual(Object.keys(ERRORS));
  });

  it.each(Object.keys(ERRORS) as ErrorCode[])('gives status, message and occasion of %s', (code) => {
    const { status, message, when } = ERRORS[code];
    const text = sections().get(code);
    expect(text).toContain(`- Status: ${status}\n`);
    expect(text).toContain(`- Message: "${message}"\n`);
    expect(text).toContain(`\n${when}\n`);
  });

  it('says of every code which routes answer it', () => {
    for (const [code, text] of sections()) {
      if (code === 'METHOD_NOT_ALLOWED') continue;
      expect([code, text]).toEqual([code, expect.stringMatching(/^- Routes:( any$|\n {2}- `[A-Z]+ \/v1)/m)]);
    }
  });

  it.each(['FORBIDDEN', 'BAD_REQUEST', 'UNAUTHENTICATED'])('any route may answer %s', (code) => {
    expect(sections().get(code)).toContain('- Routes: any');
  });

  it('links each code once, by its status, to its own heading', () => {
    const page = renderErrors();
    const ids = anchorsOf(page).map(({ id }: { id: string }) => id);
    const linked = linksOf(page).map(({ anchor }: { anchor?: string }) => anchor);
    expect(linked.sort()).toEqual(
      Object.keys(ERRORS)
        .map((code) => code.toLowerCase())
        .sort(),
    );
    expect(ids).toEqual(expect.arrayContaining(linked));
  });

  it('is what was committed, to the letter', () => {
    const page = readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8');
    expect(page.split('\n## Errors of the client\n')[0]).toBe(renderErrors());
  });
});
