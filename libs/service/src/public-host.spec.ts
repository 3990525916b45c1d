import { expectPublicHost } from './public-host';

describe('a host that a document of another server names', () => {
  it.each(['8.8.8.8', '[2606:4700::1111]'])('may be %s', async (host) => {
    await expect(expectPublicHost(new URL(`https://${host}/`))).resolves.toBeUndefined();
  });

  it.each([
    'localhost',
    '127.1',
    '0x7f000001',
    '10.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '[::1]',
    '[::ffff:10.0.0.1]',
    '[fd00::1]',
    '[fe80::1]',
    '[2002:a00:1::1]',
  ])('may not be %s', async (host) => {
    const vetted = expectPublicHost(new URL(`https://${host}/`));
    await expect(vetted).rejects.toThrow('is not a public host');
  });
});
