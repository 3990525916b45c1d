import 'reflect-metadata';
import { readValueFile } from '@plat/local';

const SUFFIX = '_FILE';
const NAMES = Symbol('variables that may be given as files');
const START_NAMES = Symbol('variables whose files are read at the start alone');

/**
 * A variable whose value may be in a file, which `<VARIABLE>_FILE` names: a secret that is mounted, and replaced while
 * the process runs.
 */
export const FromFile =
  (): PropertyDecorator =>
  (target, property): void => {
    Reflect.defineMetadata(NAMES, [...namesOf(target), String(property)], target);
  };

/** A variable that a running process keeps as it was at its start, also if its file is replaced. */
export const ReadAtStart =
  (): PropertyDecorator =>
  (target, property): void => {
    Reflect.defineMetadata(START_NAMES, [...namesOf(target, START_NAMES), String(property)], target);
  };

const namesOf = (target: object, key = NAMES): string[] =>
  (Reflect.getMetadata(key, target) as string[] | undefined) ?? [];

/** The variables of a configuration class that may be given as files. */
export const fileVariables = (shape: new () => object): string[] => namesOf(shape.prototype as object);

/** The variables of a configuration class whose files are read at the start alone. */
export const startVariables = (shape: new () => object): string[] =>
  namesOf(shape.prototype as object, START_NAMES);

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
