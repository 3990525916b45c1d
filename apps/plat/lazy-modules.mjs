/**
 * Plugins of the client's build. What a library reads as it is loaded, and a command then does not use, costs every
 * command its time: here it is read when it is first used, or not at all.
 */
import { readFile } from 'node:fs/promises';
import { constants } from 'node:zlib';

/** What axios reads for uses that the client has none of: HTTP/2, forms, redirects (none is followed), fetch. */
const AXIOS = {
  http2: 'exports.constants = {};',
  'form-data': 'module.exports = class {};',
  'follow-redirects': 'module.exports = {};',
  './fetch.js': 'exports.getFetch = () => false;',
  // Of use to some calls: when a server is asked by https, through a proxy, or answers compressed.
  https: standIn('https'),
  'https-proxy-agent': standIn('https-proxy-agent'),
  zlib: `exports.constants = ${JSON.stringify(constants)};
    exports.createUnzip = (options) => require('zlib').createUnzip(options);
    exports.createBrotliDecompress = (options) => require('zlib').createBrotliDecompress(options);`,
};

/** Its own log, and whether Windows is around Linux, which it names in a user agent that is not sent. */
const OCLIF = {
  debug: 'module.exports = () => () => undefined;',
  'wsl-utils': 'exports.isWsl = false;',
};

/** An object or class in the place of a module's own, which loads the module when it is first looked into. */
function standIn(name) {
  return `const load = () => require(${JSON.stringify(name)});
    module.exports = new Proxy(function () {}, {
      get: (_, key) => load()[key],
      construct: (_, args) => new (load())(...args),
    });`;
}

/** axios without what the client has no use for. */
export const leanAxios = replaced('lean-axios', /[/\\]axios[/\\]lib[/\\]/, AXIOS);

/** The same for oclif. */
export const leanOclif = replaced('lean-oclif', /[/\\]@oclif[/\\]core[/\\]lib[/\\]/, OCLIF);

/** A plugin by which the modules of one package find other contents where they import the given ones. */
function replaced(name, importers, contents) {
  return {
    name,
    setup(builder) {
      builder.onResolve({ filter: /./ }, ({ importer, path, resolveDir }) =>
        importers.test(importer) && Object.hasOwn(contents, path)
          ? { path, namespace: name, pluginData: resolveDir }
          : undefined,
      );
      builder.onLoad({ filter: /./, namespace: name }, ({ path, pluginData }) => ({
        contents: contents[path],
        resolveDir: pluginData,
      }));
    },
  };
}

/** An import as TypeScript writes it for CommonJS. Its name has a number, and is not used for anything else. */
const IMPORT = /^(const|var) (\w+_\d+) = ((?:__importDefault\()?require\("[^"]+"\)\)?);$/gm;

/** oclif's modules, each of which reads another when it first uses it: a command that runs shows no help. */
export const lateOclif = {
  name: 'late-oclif',
  setup(builder) {
    builder.onLoad({ filter: /[/\\]@oclif[/\\]core[/\\]lib[/\\].*\.js$/ }, async ({ path }) => ({
      contents: withLateImports(await readFile(path, 'utf8')),
    }));
  },
};

function withLateImports(source) {
  const names = [...source.matchAll(IMPORT)].map(([, , name]) => name);
  if (names.length === 0) return source;
  const late = source.replace(IMPORT, '$1 $2 = () => $3;');
  const use = new RegExp(`\\b(?:${names.join('|')})\\b(?! = \\(\\) => )`, 'g');
  // In brackets, for `new name.Class()`.
  return late.replace(use, '($&())');
}
