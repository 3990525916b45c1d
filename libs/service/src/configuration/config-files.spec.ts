import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSelfSignedCertificate } from '@plat/testing';
import { checkConfig } from './check-config';
import { ConfigError, readConfig, ServiceConfig } from './config';

const DATABASE = 'postgres://plat_reviews:hunter2@db.example:5432/plat';

describe('a variable that is given as a file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'plat-config-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  function file(name: string, content: string): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }
  const faultsOf = (environment: Record<string, string>): string[] => {
    try {
      readConfig(ServiceConfig, environment);
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
    return [];
  };

  it.each(['', '\n', '\r\n'])('has the content of the file without its last newline: %j', (newline) => {
    const config = readConfig(ServiceConfig, { DATABASE_URL_FILE: file('url', DATABASE + newline) });
    expect(config.DATABASE_URL.reveal()).toBe(DATABASE);
  });

  it.each<[string, () => string, string]>([
    ['is missing', () => join(folder, 'absent'), 'is not there'],
    ['is a folder', () => folder, 'is a folder'],
    ['is empty', () => file('empty', '\n'), 'is empty'],
    ['is too long', () => file('long', 'x'.repeat(1024 * 1024 + 1)), 'has more than 1048576 bytes'],
  ])('is refused once, by variable and path, if the file %s', (_, pathOf, reason) => {
    const path = pathOf();
    expect(faultsOf({ DATABASE_URL_FILE: path })).toEqual([`DATABASE_URL_FILE: ${path} ${reason}`]);
  });

  it('is refused if it is set as well', () => {
    expect(faultsOf({ DATABASE_URL: DATABASE, DATABASE_URL_FILE: file('url', DATABASE) })).toEqual([
      'DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them',
    ]);
  });

  it('is judged like any other value, and its content is in no fault', () => {
    const faults = faultsOf({ DATABASE_URL_FILE: file('url', 'mysql://root:hunter2@db/x'), PORT: 'x' });
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter2');
  });

  it('DATABASE_CA is certificates in PEM', async () => {
    const { cert, key } = await makeSelfSignedCertificate();
    const with_ = (content: string) => ({ DATABASE_URL: DATABASE, DATABASE_CA_FILE: file('ca', content) });
    expect(readConfig(ServiceConfig, with_(cert + cert)).DATABASE_CA).toBe((cert + cert).trimEnd());
    for (const other of [key, 'no PEM', cert.replace(/[A-Za-z0-9]{20}/, 'AAAA')]) {
      expect(faultsOf(with_(other))).toEqual(['DATABASE_CA must be certificates in PEM']);
    }
  });

  it.each(['sslmode=require', 'application_name=x&sslmode=no-verify', 'ssl=0'])(
    'DATABASE_CA is refused next to a URL with %s, which would take its place',
    async (parameter) => {
      const { cert } = await makeSelfSignedCertificate();
      expect(faultsOf({ DATABASE_URL: `${DATABASE}?${parameter}`, DATABASE_CA: cert })).toEqual([
        'DATABASE_URL must have no sslmode, sslrootcert or ssl, because DATABASE_CA decides',
      ]);
    },
  );

  describe('--check-config', () => {
    it('says that a configuration has no fault', () => {
      expect(checkConfig('audit', ServiceConfig, { DATABASE_URL: DATABASE })).toEqual({
        isValid: true,
        text: 'plat-audit: the configuration has no fault.\n',
      });
    });

    it('names every fault, of files too', () => {
      const { isValid, text } = checkConfig('audit', ServiceConfig, {
        DATABASE_URL_FILE: join(folder, 'absent'),
        DATABASE_CA: 'none',
        PORT: 'eighty',
      });
      expect(isValid).toBe(false);
      for (const name of ['DATABASE_URL_FILE', 'DATABASE_CA', 'PORT']) expect(text).toContain(name);
    });

    it('warns of a variable that is nearly one of its own', () => {
      const given = {
        DATABASE_URL: DATABASE,
        DATABASE_URL_FLIE: 'x',
        LOG_LEVLE: 'debug',
        HOME: '/',
        PATH: 'x',
      };
      expect(checkConfig('audit', ServiceConfig, given).text).toBe(
        'warning: DATABASE_URL_FLIE is no variable of this service: is DATABASE_URL_FILE meant?\n' +
          'warning: LOG_LEVLE is no variable of this service: is LOG_LEVEL meant?\n' +
          'plat-audit: the configuration has no fault.\n',
      );
    });
  });
});
