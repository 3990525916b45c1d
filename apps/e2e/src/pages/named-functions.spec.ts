import { firstCall, functionAround } from './named-functions';

const TEXT = `
async function prune() { await page.follow('prune'); }
class Stand {
  async rotate() { await this.follow('rotate'); await this.rotate(); }
}
const dump = async () => page.follow('dump');
it('a case', async () => {
  await page.follow('verify');
  await stand.rotate();
  await dump();
  await prune();
});`;

describe('a function of a spec', () => {
  it.each([
    ['prune', 'prune();'],
    ['rotate', 'stand.rotate();'],
    ['dump', 'dump();'],
  ])('that names %s is found around it, and called where a case says "%s"', (block, call) => {
    const around = functionAround(TEXT.indexOf(`'${block}'`), TEXT)!;
    expect(around.name).toBe(block);
    expect(firstCall(block, TEXT, around)).toBe(TEXT.indexOf(call));
  });

  it('is not there around what a case names itself', () => {
    expect(functionAround(TEXT.indexOf("'verify'"), TEXT)).toBeUndefined();
  });

  it('is called at no place if only it calls itself', () => {
    const text = 'function again() { again(); }';
    expect(firstCall('again', text, functionAround(20, text))).toBeUndefined();
  });
});
