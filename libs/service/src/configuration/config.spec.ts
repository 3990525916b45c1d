import { inspect } from 'node:util';
import { ConfigError, readConfig, ServiceConfig } from './config';

const DATABASE = 'postgres://plat_reviews:hunter2@db.example:5432/plat';

const faultsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(ServiceConfig, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

describe('the configuration of a process', () => {
  it('needs the database and has a default for everything else', () => {
    const config = readConfig(ServiceConfig, { DATABASE_URL: DATABASE });
    expect(config).toMatchObject({
      HOST: '0.0.0.0',
      PORT: 8080,
      DATABASE_POOL_SIZE: 4,
      DATABASE_PREPARED_STATEMENTS: true,
      ALLOW_HTTP_ISSUERS: false,
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: 5,
      SHUTDOWN_SECONDS: 20,
    });
    expect(config.DATABASE_URL.reveal()).toBe(DATABASE);
  });

  it('takes numbers and flags as environments spell them', () => {
    const given = {
      DATABASE_URL: DATABASE,
      PORT: '0',
      ALLOW_HTTP_ISSUERS: 'true',
      DATABASE_PREPARED_STATEMENTS: 'false',
    };
    expect(readConfig(ServiceConfig, given)).toMatchObject({
      PORT: 0,
      ALLOW_HTTP_ISSUERS: true,
      DATABASE_PREPARED_STATEMENTS: false,
    });
  });

  it('counts an empty variable as unset', () => {
    expect(readConfig(ServiceConfig, { DATABASE_URL: DATABASE, PORT: '', LOG_LEVEL: '' })).toMatchObject({
      PORT: 8080,
      LOG_LEVEL: 'info',
    });
    expect(faultsOf({ DATABASE_URL: '' })).toEqual(['DATABASE_URL is not set']);
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['DATABASE_POOL_SIZE', '0'],
    ['ALLOW_HTTP_ISSUERS', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['SHUTDOWN_SECONDS', 'soon'],
    ['DRAIN_SECONDS', '-1'],
    ['DATABASE_URL', 'mysql://localhost/plat'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['DATABASE_URL', 'postgres://u:p@host:port/plat'],
  ])('refuses %s=%s by name', (name, value) => {
    const faults = faultsOf({ DATABASE_URL: DATABASE, [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(name);
  });

  it('reports every fault in one message', () => {
    const error = new ConfigError(faultsOf({ PORT: 'x', LOG_LEVEL: 'y', ALLOW_HTTP_ISSUERS: 'z' }));
    for (const name of ['DATABASE_URL', 'PORT', 'LOG_LEVEL', 'ALLOW_HTTP_ISSUERS']) {
      expect(error.message).toContain(name);
    }
  });

  it('prints secrets as ***, in faults as well', () => {
    const config = readConfig(ServiceConfig, { DATABASE_URL: DATABASE });
    expect(JSON.stringify(config) + inspect(config)).not.toContain('hunter2');
    expect(faultsOf({ DATABASE_URL: 'mysql://root:hunter2@db/x' }).join()).not.toContain('hunter2');
  });

  it('ignores variables that it does not know', () => {
    expect(faultsOf({ DATABASE_URL: DATABASE, HOME: '/root', __proto__: 'x' })).toEqual([]);
  });
});
