import 'reflect-metadata';
import { readValueFile } from '@plat/local';

const SUFFIX = '_FILE';
const NAMES = Symbol('variables that may be given as files');

/**
 * A variable whose value may be in a file, which `<VARIABLE>_FILE` names: a secret that is mounted, and replaced while
 * the process runs.
 */
export const FromFile =
  (): PropertyDecorator =>
  (target, property): void => {
    Reflect.defineMetadata(NAMES, [...namesOf(target), String(property)], target);
  };

const namesOf = (target: object): string[] =>
  (Reflect.getMetadata(NAMES, target) as string[] | undefined) ?? [];

/** The variables of a configuration class that may be given as files. */
export const fileVariables = (shape: new () => object): string[] => namesOf(shape.prototype as object);

/** The files that an environment names, by variable. */
export function namedFiles(
  shape: new () => object,
  environment: Record<string, string | undefined>,
): ReadonlyMap<string, string> {
  return new Map(
    fileVariables(shape).flatMap((name) => {
      const path = environment[name + SUFFIX];
      return path === undefined || path === '' ? [] : [[name, path] as const];
    }),
  );
}

/** An environment in which the variables of files have their files' content. */
export interface ReadEnvironment {
  values: Record<string, string | undefined>;
  /** Faults of files, by variable, without anything of their content. */
  faults: { name: string; fault: string }[];
}

/** Puts the content of the named files in the place of their variables. */
export function withFiles(
  shape: new () => object,
  environment: Record<string, string | undefined>,
): ReadEnvironment {
  const values = { ...environment };
  const faults: ReadEnvironment['faults'] = [];
  for (const [name, path] of namedFiles(shape, environment)) {
    if (environment[name]) {
      faults.push({ name, fault: `${name} and ${name}${SUFFIX} are both set: keep one of them` });
    }
    try {
      values[name] = readValueFile(path);
    } catch (error) {
      values[name] = undefined;
      faults.push({ name, fault: `${name}${SUFFIX}: ${path} ${(error as Error).message}` });
    }
  }
  return { values, faults };
}
