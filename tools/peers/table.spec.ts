import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { peers } from './table.mjs';

describe('the table of peers', () => {
  it('brings every program that a test may ask for, and no other', () => {
    const source = readFileSync(join(__dirname, '../../libs/testing/src/peers/peer.ts'), 'utf8');
    const asked = [...source.matchAll(/^ {2}\| '(.+?)'/gm)].map(([, program]) => program);
    const brought = Object.values(peers).flatMap(({ programs }) => programs);
    expect(brought.sort()).toEqual(asked.sort());
  });
});
