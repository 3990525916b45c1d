import vm, { type CompileFunctionOptions, type Context } from 'node:vm';

/** The name by which jest asks for code of this realm. */
export const REALM: Context = {};

const { compileFunction } = vm;
const compiled = new Map<
  string,
  { code: string; parameters: string; run: ReturnType<typeof compileFunction> }
>();

/** From now on, jest's compilation of a module in this realm is that of the test file before, if the code is the same. */
export function compileOnce(): void {
  vm.compileFunction = (code, parameters = [], options = {}) =>
    options.parsingContext === REALM
      ? compiledHere(code, parameters, options)
      : compileFunction(code, parameters, options);
}

function compiledHere(
  code: string,
  parameters: readonly string[],
  { filename = '' }: CompileFunctionOptions,
) {
  const names = parameters.join();
  const known = compiled.get(filename);
  if (known?.code === code && known.parameters === names) return known.run;
  // Without jest's function for `import()`, which would keep all modules of the file that compiles first.
  const run = compileFunction(code, parameters, { filename });
  compiled.set(filename, { code, parameters: names, run });
  return run;
}
