import { nearest } from '@plat/local';
import { Failure } from '../terminal/failure';
import { listOf, type NextStep, nextStep } from '../terminal/next-step';
import { checkConfig, knownNames } from './config-library.js';
import type { levelOf } from './config-scope';

type Level = ReturnType<typeof levelOf>;

/** The flags that choose a level's file. */
const SCOPES: Readonly<Record<Level, NextStep>> = {
  user: nextStep(''),
  tenant: nextStep('--tenant <tenant>'),
  environment: nextStep('--tenant <tenant> --environment <env>'),
};

/** The failure for a key that the level does not know: with the level that does, or the key that was most likely meant. */
export function unknownKey(level: Level, key: string, value: unknown): Failure {
  const levels = Object.keys(SCOPES) as Level[];
  const other = levels.find((one) => one !== level && isKnown(one, key, value));
  const meant = nearest(key, knownNames(level));
  const way =
    other !== undefined
      ? nextStep('it is a field of another file: plat config set', [key], '<value>', SCOPES[other])
      : meant === undefined
        ? nextStep('use one of', listOf(knownNames(level)))
        : nextStep('plat config set', [meant], '<value>', SCOPES[level]);
  return new Failure('UNKNOWN_KEY', `${key} is no known field of the ${level}'s configuration.`, {
    details: { key, level },
    next: nextStep(way, '; for a field of a newer plat: --allow-unknown'),
  });
}

function isKnown(level: Level, key: string, value: unknown): boolean {
  const content = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return checkConfig(level, content).unknown.length === 0;
}

/** Refuses an alias that the user's file does not have. @throws Failure UNKNOWN_ALIAS */
export function requireKnownAlias({ cloudAliases }: Record<string, unknown>, value: unknown): void {
  const aliases = (Array.isArray(cloudAliases) ? cloudAliases : []) as { name?: unknown }[];
  if (aliases.some(({ name }) => name === value)) return;
  throw new Failure('UNKNOWN_ALIAS', `This machine has no alias ${JSON.stringify(value)}.`, {
    next: 'plat cloud status --all; plat cloud init <alias> --api-url <url> adds one',
  });
}
