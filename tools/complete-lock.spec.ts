import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingPlatformPackages } from './complete-lock.mjs';

describe('package-lock.json', () => {
  it('names the packages of every platform, so that npm ci accepts it everywhere', () => {
    const lock = JSON.parse(readFileSync(join(__dirname, '..', 'package-lock.json'), 'utf8')) as {
      packages: object;
    };
    expect(Object.keys(missingPlatformPackages(lock.packages))).toEqual([]);
  });

  it('gets what it lacks next to the others, or below the package that wants another version', () => {
    const packages = {
      'node_modules/a': {
        version: '1.0.0',
        optionalDependencies: { 'a-linux-x64-musl': '1.0.0', 'b-darwin-arm64': '2.0.0' },
      },
      'node_modules/b-darwin-arm64': { version: '1.0.0' },
    };
    expect(missingPlatformPackages(packages)).toEqual({
      'node_modules/a-linux-x64-musl': {
        version: '1.0.0',
        cpu: ['x64'],
        libc: ['musl'],
        optional: true,
        os: ['linux'],
      },
      'node_modules/a/node_modules/b-darwin-arm64': {
        version: '2.0.0',
        cpu: ['arm64'],
        optional: true,
        os: ['darwin'],
      },
    });
  });
});
