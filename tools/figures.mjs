import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The kinds of files. The first pattern that a path matches decides. */
const KINDS = [
  ['the lock file', /^package-lock\.json$/],
  [
    'generated and committed',
    new RegExp(
      [
        '^docs/(?:states|variables|environment-config|errors|directory-file|roles|logins|cli)\\.md$',
        '^docs/(?:openapi/|.*\\.schema\\.json$)',
        '^libs/api-client/src/generated/',
        '^libs/database/(?:migrations|functions|published)\\.json$',
        '^deploy/(?:charts/golden/|edge/(?:routes|upstreams)\\.conf$)',
        '^deploy/charts/[a-z]+/(?:values\\.schema\\.json$|files/)',
        '^tools/(?:test/times|peers/passed)\\.json$',
      ].join('|'),
    ),
  ],
  ['SQL', /\.sql$/],
  ['documents', /\.md$/],
  ['tests', /\.(?:spec|conformance)\.tsx?$|\.test\.mjs$|^libs\/testing\/|^apps\/e2e\/|\/black-box\//],
  ['tools', /^tools\/.*\.(?:ts|[cm]js|go)$/],
  ['product TypeScript', /^(?:apps|libs)\/.*\.tsx?$/],
];

/** Prints how many lines the repository has, by what they are. */
export function main() {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  const sums = new Map([...KINDS.map(([kind]) => [kind, 0]), ['other', 0]]);
  for (const file of files) {
    const [kind = 'other'] = KINDS.find(([, pattern]) => pattern.test(file)) ?? [];
    sums.set(kind, sums.get(kind) + linesOf(file));
  }
  for (const [kind, lines] of sums) {
    process.stdout.write(`${String(lines).padStart(8)}  ${kind}\n`);
  }
}

/** The lines of a file; 0 for one that is removed and not committed yet. */
function linesOf(file) {
  try {
    return readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return 0;
    throw error;
  }
}
