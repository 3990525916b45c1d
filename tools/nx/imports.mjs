/**
 * A plugin of nx: which project imports which, by the sources that programs are built from. Nx's own analysis would count
 * specs, which import nearly everything, so that a change of one contract would concern every service.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that no program is built from, and a project for those alone. */
const OF_TESTS = [/\.(spec|conformance)\.ts$/, /\/src\/black-box\//];
const TESTING = '@plat/testing';
const IMPORT = /\b(?:from|import)\s*\(?\s*'(@plat\/[^']+)'/g;

/** Every `@plat/…` that a source imports or re-exports; types too, since a build can depend on them. */
export const importsOf = (text) => [...text.matchAll(IMPORT)].map(([, name]) => name);

/** Whether a program may be built from the file. */
export const isSource = (file) => /\.(ts|mjs)$/.test(file) && !OF_TESTS.some((pattern) => pattern.test(file));

export const name = 'plat-imports';

export const createDependencies = (_options, { fileMap, projects, workspaceRoot }) => {
  const { compilerOptions } = JSON.parse(readFileSync(join(workspaceRoot, 'tsconfig.base.json'), 'utf8'));
  const projectOf = (name) => {
    const [path] = compilerOptions.paths[name] ?? [];
    return Object.keys(projects).find((project) => path?.startsWith(`./${projects[project].root}/`));
  };
  return Object.entries(fileMap.projectFileMap).flatMap(([source, files]) =>
    files
      .map(({ file }) => file)
      .filter(isSource)
      .flatMap((sourceFile) =>
        importsOf(readFileSync(join(workspaceRoot, sourceFile), 'utf8'))
          .filter((name) => name !== TESTING || source === 'e2e' || source === 'tools')
          .map(projectOf)
          .filter((target) => target !== undefined && target !== source)
          .map((target) => ({ source, target, sourceFile, type: 'static' })),
      ),
  );
};
