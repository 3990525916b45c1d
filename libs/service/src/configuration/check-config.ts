import { getMetadataStorage } from 'class-validator';
import { nearest } from '@plat/local';
import { ConfigError, type Environment, ownEnvironment, readConfig } from './config';
import { fileVariables } from './config-files';

/** The output of `--check-config`: all faults, or that there is none; and variables that may be misspelled. */
export interface ConfigReport {
  isValid: boolean;
  text: string;
}

/** Examines the configuration of a service. Starts nothing, connects to nothing. */
export function checkConfig(
  service: string,
  shape: new () => object,
  environment: Environment = ownEnvironment(),
): ConfigReport {
  const doubts = misspelled(shape, environment).map(
    ({ name, meant }) => `${name} is no variable of this service: is ${meant} meant?`,
  );
  const warnings = doubts.map((doubt) => `warning: ${doubt}\n`).join('');
  try {
    readConfig(shape, environment);
    return { isValid: true, text: `${warnings}plat-${service}: the configuration has no fault.\n` };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { isValid: false, text: `${warnings}plat-${service}: ${error.message}\n` };
  }
}

/** Variables of the environment that are nearly, but not quite, one of the service's. */
function misspelled(shape: new () => object, environment: Environment): { name: string; meant: string }[] {
  const known = variablesOf(shape);
  return Object.keys(environment)
    .filter((name) => !known.includes(name) && name.length > SHORT)
    .flatMap((name) => {
      const meant = nearest(name, known);
      return meant === undefined ? [] : [{ name, meant }];
    });
}

/** Names this short are near to too many others, such as HOST to HOME. */
const SHORT = 5;

/** All variables that a configuration class reads. */
export function variablesOf(shape: new () => object): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(shape, '', false, false);
  const declared = new Set(rules.map(({ propertyName }) => propertyName));
  return [...declared, ...fileVariables(shape).map((name) => `${name}_FILE`)];
}
