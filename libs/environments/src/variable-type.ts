import { isBranchName, isId } from '@plat/contracts/core';
import { canonicalRepository } from '@plat/remote';
import { parseDuration } from './duration';
import { parseBool } from './go-bool';
import { isLabel } from './names';
import { PORT_MAX, PORT_MIN } from './port-blocks';
import { type ContainerRegistry, parseRegistries } from './registry';
import { isTimeZone } from './time-zone';
import { parseWorkingHours, type WorkingHours } from './working-hours';

/** The type of a variable: how its text is read. */
export interface VariableType<T> {
  /** The name of the type in the contract's tables. */
  words: string;
  /** The fault of a text that is not read: the rest of a sentence. */
  fault: string;
  /** Whether a message must not repeat the text. */
  isSecret?: boolean;
  /** Reads a text; undefined if it is wrong. */
  read(text: string): T | undefined;
}

/** Longest text that is read, in characters; a list of registries has the most. */
const TEXT_LENGTH_MAX = 64 * 1024;
const LINE_LENGTH_MAX = 4096;
const CONTROL = /\p{Cc}/u;
const INT64_MAX = 2n ** 63n - 1n;

function type<T>(words: string, fault: string, read: (text: string) => T | undefined): VariableType<T> {
  return { words, fault, read: (text) => (text.length > TEXT_LENGTH_MAX ? undefined : read(text)) };
}

const when =
  (test: (text: string) => boolean) =>
  (text: string): string | undefined =>
    test(text) ? text : undefined;

/** One line of text without control characters. */
export const STRING = type('string', 'is no single line of text', when(isLine));
export const SECRET_STRING: VariableType<string> = { ...STRING, isSecret: true };
export const NAME = type('string', 'is no name of a tenant or environment', when(isLabel));
export const ABSOLUTE_PATH = type('absolute path', 'is no absolute path', when(isAbsolutePath));
export const TRUE_OR_FALSE = type('true or false', 'is neither true nor false', (text) =>
  text === 'true' || text === 'false' ? text === 'true' : undefined,
);
export const BOOL = type('bool', 'is neither true nor false', parseBool);
export const GIT_REMOTE: VariableType<string> = {
  ...type('git remote URL', 'is no URL of a git remote without credentials', when(isGitRemote)),
  isSecret: true,
};
export const GIT_REF = type('git ref', 'is no name of a git ref', when(isBranchName));
export const PORT = type(
  `int ${PORT_MIN}-${PORT_MAX}`,
  `is no port from ${PORT_MIN} to ${PORT_MAX}`,
  (text) => portFrom(text, PORT_MIN),
);
/** The contract's default, 22, lies outside of the contract's range, so it is accepted as well. */
export const SSHD_PORT = type(
  PORT.words,
  `is neither 22 nor a port from ${PORT_MIN} to ${PORT_MAX}`,
  (text) => (text === '22' ? 22 : PORT.read(text)),
);
/** Milliseconds. */
export const TIMEOUT = type<number>(
  "duration (grammar of Go's ParseDuration)",
  'is no duration above 0, such as 90s, 5m or 1h30m',
  (text) => {
    const milliseconds = parseDuration(text);
    return milliseconds !== undefined && milliseconds > 0 ? milliseconds : undefined;
  },
);
export const WORKING_HOURS_TYPE = type<WorkingHours>(
  'HH:MM-HH:MM',
  'is no span of hours with two different ends, such as 08:00-20:00',
  parseWorkingHours,
);
export const TIME_ZONE = type(
  'IANA time zone',
  'is no IANA time zone, such as Europe/Berlin',
  when(isTimeZone),
);
/** A count of bytes; beyond 2^53 the nearest number, which is as good for a threshold. */
export const INT64 = type<number>('int64', 'is no whole number from 0 to 2^63-1', (text) =>
  /^\d{1,19}$/.test(text) && BigInt(text) <= INT64_MAX ? Number(text) : undefined,
);
export const COUNT = type<number>('int', 'is no whole number above 0', (text) =>
  /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined,
);
export const ADDRESS: VariableType<string> = {
  ...type('URL', 'is no http(s) URL without credentials', when(isAddress)),
  isSecret: true,
};
export const REGISTRIES = type<ContainerRegistry[]>(
  'JSON list',
  'is no JSON list of registries with roles, such as [{"registry": "registry.example.com", "roles": ["build"]}]',
  parseRegistries,
);
export const WORDS = type<string[]>('strings with commas between', 'has an empty entry', (text) => {
  const words = text.split(',').map((word) => word.trim());
  return isLine(text) && words.every((word) => word !== '') ? words : undefined;
});
export const UUID_TYPE = type('UUID', 'is no UUID', when(isId));

/** One of some words. */
export function oneOf<const T extends string>(words: readonly T[]): VariableType<T> {
  return type(words.join(', '), `is none of ${words.join(', ')}`, (text) =>
    words.find((word) => word === text),
  );
}

/** A flag that has one value and is otherwise unset. Read as true. */
export function literal(word: string): VariableType<true> {
  return type<true>(`literal ${word}`, `is not ${word}`, (text) => (text === word ? true : undefined));
}

/** Whether the text is one line, without control characters. */
export function isLine(text: string): boolean {
  return text.length <= LINE_LENGTH_MAX && text.trim() !== '' && !CONTROL.test(text) && text.isWellFormed();
}

/** Whether the text is a path in a pod that starts at the root. */
export function isAbsolutePath(text: string): boolean {
  return text.startsWith('/') && isLine(text);
}

/** Whether the text names a git repository, without credentials in its address. */
export function isGitRemote(text: string): boolean {
  return !text.startsWith('-') && canonicalRepository(text) !== undefined && !hasCredentials(text);
}

/** Whether the text is an http(s) URL. A user name or password in it would be a secret in plain sight. */
export function isAddress(text: string): boolean {
  if (!isLine(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** The user of an ssh remote (`git@`) is part of its address; that of a URL over http is a credential. */
function hasCredentials(remote: string): boolean {
  if (!remote.includes('://')) return remote.slice(0, Math.max(remote.indexOf('@'), 0)).includes(':');
  if (!URL.canParse(remote)) return remote.includes('@');
  const url = new URL(remote);
  return url.password !== '' || (/^https?:$/.test(url.protocol) && url.username !== '');
}

function portFrom(text: string, min: number): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= min && port <= PORT_MAX ? port : undefined;
}
