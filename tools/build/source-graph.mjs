import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import typescript from 'typescript';

/** Sources that are in no bundle: what they import does not touch what is deployed. */
const IN_NO_BUNDLE = /\.(?:spec|conformance)\.ts$|\/black-box\/|\.d\.ts$/;

/**
 * The edges of nx's graph, for `nx affected` and nx's cache: project A depends on B if a source of A that is built
 * imports one of B. nx's own analysis counts the imports of specs too, by which each project depends on each other.
 */
export const createDependencies = (_options, { projects, fileMap, workspaceRoot }) => {
  const owners = Object.entries(projects)
    .map(([name, { root }]) => ({ name, root: `${root}/` }))
    .sort((a, b) => b.root.length - a.root.length);
  const ownerOf = (file) => owners.find(({ root }) => file.startsWith(root))?.name;
  const { paths } = JSON.parse(
    readFileSync(join(workspaceRoot, 'tsconfig.base.json'), 'utf8'),
  ).compilerOptions;
  const targetOf = (specifier, file) =>
    specifier.startsWith('.')
      ? ownerOf(posix.join(posix.dirname(file), specifier))
      : paths[specifier] && ownerOf(paths[specifier][0].replace('./', ''));

  return Object.entries(fileMap.projectFileMap).flatMap(([source, files]) =>
    files
      .map(({ file }) => file)
      .filter((file) => /\.tsx?$/.test(file) && !IN_NO_BUNDLE.test(file))
      .flatMap((file) => edgesOf({ source, file }, targetOf, workspaceRoot)),
  );
};

function edgesOf({ source, file }, targetOf, workspaceRoot) {
  const text = readFileSync(join(workspaceRoot, file), 'utf8');
  const imported = typescript.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  const targets = new Set(imported.map((specifier) => targetOf(specifier, file)));
  return [...targets]
    .filter((target) => target !== undefined && target !== source)
    .map((target) => ({ source, target, type: 'static', sourceFile: file }));
}

export const name = 'source-graph';
