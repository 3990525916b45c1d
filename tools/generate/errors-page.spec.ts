import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS } from '@plat/contracts/core';
import { renderErrors } from './errors-page';

const rows = () => [...renderErrors().matchAll(/^\| `([A-Z_]+)` \| \d{3} \|.*\| (.*) \|$/gm)];

describe('docs/errors.md', () => {
  it('lists every code of the registry, and no other', () => {
    const listed = [...renderErrors().matchAll(/^\| `([A-Z_]+)` \| (\d{3}) /gm)].map(([, code]) => code);
    expect(listed.sort()).toEqual(Object.keys(ERRORS).sort());
  });

  it('says of every code which routes answer it', () => {
    for (const [, code, routes] of rows().filter(([, code]) => code !== 'METHOD_NOT_ALLOWED')) {
      expect([code, routes]).toEqual([code, expect.stringMatching(/^any$|^`/)]);
    }
  });

  it.each(['FORBIDDEN', 'BAD_REQUEST', 'UNAUTHENTICATED'])('any route may answer %s', (code) => {
    expect(rows().find(([, listed]) => listed === code)?.[2]).toBe('any');
  });

  it('is what was committed, to the letter', () => {
    expect(readFileSync(join(__dirname, '../../docs/errors.md'), 'utf8')).toBe(renderErrors());
  });
});
