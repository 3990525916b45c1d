import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { spawnSync } from '@plat/testing';
import { adviceOf } from './install-failure.mjs';

describe('an installation that failed says what to do', () => {
  it.each([
    ['npm error code ENOSPC', /^The disk is full: free some space/],
    ['npm error code EACCES\nnpm error path /x/node_modules', /^npm may not write in \/x or in its cache/],
    ['npm error code ENOTFOUND\nnpm error network request to', /^The registry of npm is not reachable/],
    ['npm error code ENOTCACHED', /^The registry of npm is not reachable/],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
    ['npm error code UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
  ])('after %j', (output, sentence) => {
    expect(adviceOf(output, '/x')).toMatch(sentence);
  });

  it('and nothing where npm names the fault itself', () => {
    expect(adviceOf('npm error code EUSAGE', '/x')).toBeUndefined();
  });

  it.each([
    ['a registry that is not there', {}],
    ['a proxy that is not there', { registry: 'http://registry.invalid/', proxy: 'http://127.0.0.1:9/' }],
  ])('with %s, after what npm itself says', async (_what, config: Record<string, string>) => {
    const root = await mkdtemp(join(tmpdir(), 'plat-offline-'));
    const packages = {
      '': { name: 'x', version: '1.0.0', dependencies: { a: '1.0.0' } },
      'node_modules/a': { version: '1.0.0' },
    };
    const lock = { name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
    await writeFile(join(root, 'package.json'), JSON.stringify(packages['']));
    await writeFile(join(root, 'package-lock.json'), JSON.stringify(lock));
    const settings = { registry: 'http://127.0.0.1:9/', 'fetch-retries': '0', ...config };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(root, '.npmrc'), lines.join(''));
    const script = `
      const { ensureInstalled } = await import(${JSON.stringify(pathToFileURL(join(__dirname, 'install.mjs')).href)});
      process.exitCode = await ensureInstalled({ root: ${JSON.stringify(root)} });`;
    const env = { PATH: process.env.PATH, HOME: root, npm_config_cache: join(root, 'cache') };
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' });
    await rm(root, { recursive: true });
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/npm error/);
    expect(run.stderr).toContain(
      'The registry of npm is not reachable: check the network, and registry, proxy and https-proxy in npm config list, then repeat the command.\n',
    );
  });
});
