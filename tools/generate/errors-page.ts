import {
  type ErrorCode,
  type ErrorKind,
  ERRORS,
  KEYED_CODES,
  type RouteEntry,
  ROUTES,
  SHARED_CODES,
  SIGNED_IN_CODES,
} from '@plat/contracts/core';

/** The first part of `docs/errors.md`: every code of the service, from its error registry and the route table. */
export function renderErrors(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const parts = [
    '# Errors',
    'Written by `npm run generate`. The codes of the service come first, from the registry in ' +
      '`libs/contracts/core/src/errors.ts`; those of the client stand at the end.',
    'Every refusal of the service is JSON: `code` and `message` always, `details` where a code names them below. The message here is ' +
      'the usual one; a refusal may carry one that says more.',
    'One refusal has a shape of its own and no code: advance answers 409 with `error` (`unresolved_threads`), ' +
      '`message`, `reviewId` and `unresolvedThreads` while the head of the queue has open comment threads.',
    ['| Status | Codes |', '| --- | --- |', ...statusRows(codes)].join('\n'),
    ...codes.map(section),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A row for each status, with links to the sections of its codes. */
function statusRows(codes: ErrorCode[]): string[] {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((one, other) => one - other);
  return statuses.map((status) => {
    const own = codes.filter((code) => ERRORS[code].status === status);
    return `| ${status} | ${own.map((code) => `[${code}](#${code.toLowerCase()})`).join(', ')} |`;
  });
}

function section(code: ErrorCode): string {
  const { status, message, when, details }: ErrorKind = ERRORS[code];
  const facts = [
    `- Status: ${status}`,
    `- Message: "${message}"`,
    ...(details === undefined ? [] : [`- Details: ${details}`]),
    `- Routes:${routesThatAnswer(code)}`,
  ];
  return `## ${code}\n\n${when}\n\n${facts.join('\n')}`;
}

/** The routes that declare the code, each on a line of its own, or `any` for a code that routes share. */
function routesThatAnswer(code: ErrorCode): string {
  const shared: readonly ErrorCode[] = [...SHARED_CODES, ...SIGNED_IN_CODES];
  if (shared.includes(code)) return ' any';
  const routes: RouteEntry[] = Object.values(ROUTES);
  const ofKeys: readonly ErrorCode[] = KEYED_CODES;
  const named = routes.filter(({ codes, keyed }) => codes.includes(code) || (keyed && ofKeys.includes(code)));
  if (named.length === 0) return ' none; no route was reached';
  return named.map(({ method, template }) => `\n  - \`${method} ${template}\``).join('');
}
