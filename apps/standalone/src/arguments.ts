import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nearest, workspaceRoot } from '@plat/local';

/** The arguments of `npm start`. */
export interface StartArguments {
  /** 0 is any free port. */
  port: number;
  dataDir: string;
  readyFile?: string;
}

export const USAGE = `Usage: npm start -- [--port N] [--data-dir DIR] [--ready-file FILE] [--watch]

Runs the whole service on this machine, over a PostgreSQL and an OIDC provider of its own.

  --port N           where to listen on 127.0.0.1; 0 is any free port (default 7070)
  --data-dir DIR     where everything is kept (default .plat in the repository)
  --ready-file FILE  written when everything answers: addresses, accounts, tokens (JSON)
  --watch            builds and starts again when a source changes
  --help             this text
`;

/** The command line is invalid; the message says why. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const OPTIONS = {
  port: { type: 'string', default: '7070' },
  'data-dir': { type: 'string' },
  'ready-file': { type: 'string' },
  // `tools/build/watch-app.mjs` acts on it.
  watch: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Reads the command line; undefined asks for the help text.
 *
 * @throws UsageError for an unknown argument (naming the one that was meant), a missing or unusable value
 */
export function parseArguments(argv: readonly string[]): StartArguments | undefined {
  const { values, tokens } = parseArgs({ args: [...argv], options: OPTIONS, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') throw new UsageError(`Unexpected argument '${token.value}'.`);
    if (token.kind === 'option') refuseBadOption(token);
  }
  if (values.help) return undefined;
  const readyFile = values['ready-file'] as string | undefined;
  return {
    port: parsePort(String(values.port)),
    dataDir: resolve((values['data-dir'] as string | undefined) ?? join(workspaceRoot(), '.plat')),
    readyFile: readyFile === undefined ? undefined : resolve(readyFile),
  };
}

function refuseBadOption({
  name,
  rawName,
  value,
}: {
  name: string;
  rawName: string;
  value?: string | undefined;
}): void {
  if (!Object.hasOwn(OPTIONS, name)) {
    const meant = nearest(name, Object.keys(OPTIONS));
    throw new UsageError(
      `Unknown argument '${rawName}'.${meant === undefined ? '' : ` Did you mean --${meant}?`}`,
    );
  }
  const takesValue = OPTIONS[name as keyof typeof OPTIONS].type === 'string';
  if (takesValue && (value === undefined || value === '' || value.startsWith('--'))) {
    throw new UsageError(`${rawName} needs a value.`);
  }
  if (!takesValue && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port must be a number from 0 to 65535, not '${text}'.`);
  return port;
}
