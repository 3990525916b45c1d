import { ERRORS } from '@plat/contracts/core';
import { renderErrors } from './errors-page';

describe('docs/errors.md', () => {
  it('lists every code of the registry, and no other', () => {
    const listed = [...renderErrors().matchAll(/^\| `([A-Z_]+)` \| (\d{3}) /gm)].map(([, code]) => code);
    expect(listed.sort()).toEqual(Object.keys(ERRORS).sort());
  });
});
