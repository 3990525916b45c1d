import { parseConfigDocument } from './config-document';

const DEEP = 350;

/** Fields of different names. */
const fields = (count: number) => Array.from({ length: count }, (_, n) => `field${n}:`);

describe('a file of the configuration that was written to hold up whoever reads it', () => {
  it.each([
    ['keys in keys', `${'? '.repeat(DEEP)}a`],
    ['lists in lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['lists in lists by hyphens', `${'- '.repeat(5000)}a`],
    ['mappings that are no mappings', `[${'a: '.repeat(5000)}a]`],
    [
      'mappings by their indentation',
      Array.from({ length: DEEP }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
    ],
    ['more fields than a person writes', fields(12_000).join('\n')],
    ['more words in a line than a person writes', `{${fields(12_000).join(' 1, ')} 1}`],
  ])('is refused at once for %s', async (_what, text) => {
    await expect(parseConfigDocument('config.yaml', text)).rejects.toMatchObject({
      code: 'CONFIG_UNREADABLE',
      message: expect.stringMatching(/nested too deeply|more than 40000 words/) as unknown,
    });
  });

  it('is read with as many fields and levels as a long honest one has', async () => {
    const deep = '{ a: '.repeat(15) + '1' + ' }'.repeat(15);
    const { content } = await parseConfigDocument(
      'config.yaml',
      `${fields(2000).join('\n')}\ndeep: ${deep}\n`,
    );
    expect(Object.keys(content)).toHaveLength(2001);
  });
});
