import { readConsoleConfig } from './config';

describe('the configuration of the console image', () => {
  it('needs nothing', () => {
    expect(readConsoleConfig({})).toEqual({
      host: '0.0.0.0',
      port: 8080,
      drainSeconds: 5,
      providerOrigins: [],
    });
  });

  it('takes origins of identity providers, with spaces or commas between them', () => {
    const { providerOrigins } = readConsoleConfig({
      CONSOLE_PROVIDER_ORIGINS: 'https://id.example.com, https://login.example.com:8443',
    });
    expect(providerOrigins).toEqual(['https://id.example.com', 'https://login.example.com:8443']);
  });

  it.each([
    'id.example.com',
    'https://id.example.com/realms/a',
    '*',
    "'unsafe-inline'",
    'https://a;script-src',
    'javascript:x',
  ])('refuses %s as an origin, so that nothing gets into the policy', (origin) =>
    expect(() => readConsoleConfig({ CONSOLE_PROVIDER_ORIGINS: origin })).toThrow('must be an origin'),
  );

  it('names every fault at once', () => {
    const faulty = { PORT: '70000', DRAIN_SECONDS: '-1', CONSOLE_PROVIDER_ORIGINS: 'x' };
    expect(() => readConsoleConfig(faulty)).toThrow(
      /PORT[\s\S]*DRAIN_SECONDS[\s\S]*CONSOLE_PROVIDER_ORIGINS/,
    );
  });
});
