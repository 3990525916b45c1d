import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { constants, Script } from 'node:vm';

/** The path of V8's code cache, next to the bundle. */
export const codeCachePath = (bundlePath: string): string => `${bundlePath}.cache`;

/** A compiled bundle. */
export interface CompiledBundle<T> {
  /** Evaluates the bundle and returns what it exports. */
  run(): T;
  /** The code compiled so far, including functions that have run. */
  codeCache(): Buffer;
}

type ModuleFunction = (
  exports: unknown,
  require: NodeJS.Require,
  module: { exports: unknown },
  filename: string,
  folder: string,
) => void;

/**
 * Compiles a CommonJS bundle, with its code cache if that exists and is from the same V8. Most of the client's start-up
 * time is compilation; without a usable cache it only takes longer.
 *
 * @param path absolute path of a bundle in plain ASCII, as esbuild writes it
 */
export function compileBundle<T>(path: string): CompiledBundle<T> {
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'latin1')}\n})`;
  const script = new Script(source, {
    filename: path,
    cachedData: readCodeCache(path),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return {
    run() {
      const module: { exports: unknown } = { exports: {} };
      const evaluate = script.runInThisContext() as ModuleFunction;
      evaluate(module.exports, createRequire(path), module, path, dirname(path));
      return module.exports as T;
    },
    codeCache: () => script.createCachedData(),
  };
}

function readCodeCache(path: string): Buffer | undefined {
  try {
    return readFileSync(codeCachePath(path));
  } catch {
    return undefined;
  }
}
