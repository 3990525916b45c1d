/**
 * Plugins of the client's build. A library's modules that are loaded at start, but not used by a command, slow every
 * command down. Here they are loaded on first use, or not at all.
 */
import { readFile } from 'node:fs/promises';
import { constants } from 'node:zlib';

/** axios modules for features that the client does not use: HTTP/2, forms, redirects (none is followed), fetch. */
const AXIOS = {
  http2: 'exports.constants = {};',
  'form-data': 'module.exports = class {};',
  'follow-redirects': 'module.exports = {};',
  './fetch.js': 'exports.getFetch = () => false;',
  // Some calls use these: https, a proxy, or a compressed answer.
  https: standIn('https'),
  'https-proxy-agent': standIn('https-proxy-agent'),
  zlib: `exports.constants = ${JSON.stringify(constants)};
    exports.createUnzip = (options) => require('zlib').createUnzip(options);
    exports.createBrotliDecompress = (options) => require('zlib').createBrotliDecompress(options);`,
};

/**
 * oclif modules that the client does not use: a log; a test for WSL, for a user agent that is not sent; and what it asks of
 * the system, where it looks for the user's shell, and ends if a container runs as a number without a name.
 */
const OCLIF = {
  debug: 'module.exports = () => () => undefined;',
  '../util/os': `exports.getHomeDir = () => require('node:os').homedir();
    exports.getPlatform = async () => process.platform;
    exports.getShell = async () => 'unknown';`,
};

/** Modules of the Kubernetes client that its kubeconfig does not need: the API's objects, and a second HTTP client. */
const KUBERNETES = {
  './gen/index.js': 'exports.createConfiguration = exports.ServerConfiguration = undefined;',
  'node-fetch': 'exports.Headers = globalThis.Headers;',
};

/** Source of a stand-in for a module, which loads the module when a property or constructor of it is first used. */
function standIn(name) {
  return `const load = () => require(${JSON.stringify(name)});
    module.exports = new Proxy(function () {}, {
      get: (_, key) => load()[key],
      construct: (_, args) => new (load())(...args),
    });`;
}

/** axios without the modules that the client does not use. */
export const leanAxios = replaced('lean-axios', /[/\\]axios[/\\]lib[/\\]/, AXIOS);

/** oclif without the modules that the client does not use. */
export const leanOclif = replaced('lean-oclif', /[/\\]@oclif[/\\]core[/\\]lib[/\\]/, OCLIF);

/** The Kubernetes client's kubeconfig without the modules that it does not need. */
export const leanKubernetes = replaced(
  'lean-kubernetes',
  /[/\\]@kubernetes[/\\]client-node[/\\]dist[/\\]config\.js$/,
  KUBERNETES,
);

/** A plugin that replaces the given imports of one package's modules with other contents. */
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

/**
 * Packages with characters beyond ASCII in their expressions, which esbuild does not escape. The client reads its bundle as
 * Latin 1, in which each of these would be two or three others.
 */
export const asciiExpressions = {
  name: 'ascii-expressions',
  setup(builder) {
    builder.onLoad({ filter: /[/\\]node_modules[/\\]ansis[/\\].*\.m?js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        BEYOND_ASCII,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    }));
  },
};

const BEYOND_ASCII = /[^\0-\x7f]/g;

/** @throws Error if the bundle has a character that is read as others */
export async function demandAscii(path) {
  const source = await readFile(path, 'utf8');
  const at = source.search(BEYOND_ASCII);
  if (at < 0) return;
  const around = JSON.stringify(source.slice(Math.max(0, at - 60), at + 20));
  throw new Error(
    `${path} is read as Latin 1, and is not ASCII at ${around}. Escape it in the source, as \\uXXXX.`,
  );
}

/** An import as TypeScript writes it for CommonJS. Its name ends in a number and is used for the import alone. */
const IMPORT = /^(const|var) (\w+_\d+) = ((?:__importDefault\()?require\("[^"]+"\)\)?);$/gm;

/** Loads oclif's modules on first use: a command that runs shows no help. */
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
  // In parentheses, for `new name.Class()`.
  return late.replace(use, '($&())');
}
