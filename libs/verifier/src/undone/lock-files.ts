/** Names of files in which package managers note the versions that they chose. */
const LOCK_FILES = new Set([
  'bun.lock',
  'Cargo.lock',
  'composer.lock',
  'deno.lock',
  'flake.lock',
  'Gemfile.lock',
  'go.sum',
  'mix.lock',
  'npm-shrinkwrap.json',
  'package-lock.json',
  'Package.resolved',
  'packages.lock.json',
  'pdm.lock',
  'Pipfile.lock',
  'pnpm-lock.yaml',
  'Podfile.lock',
  'poetry.lock',
  'pubspec.lock',
  'uv.lock',
  'yarn.lock',
]);

export const isLockFile = (path: string): boolean => LOCK_FILES.has(path.slice(path.lastIndexOf('/') + 1));
