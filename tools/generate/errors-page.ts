import {
  type ErrorCode,
  ERRORS,
  type RouteEntry,
  ROUTES,
  SHARED_CODES,
  SIGNED_IN_CODES,
} from '@plat/contracts/core';

/** `docs/errors.md`: every code a caller can meet, from the error registry and the route table. */
export function renderErrors(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  return [
    '# Errors',
    'Written by `npm run generate` from `libs/contracts/core/src/errors.ts`; edit the registry there.',
    'Every refusal is JSON: `code` always, `message` always, `details` where the table names them.',
    [
      '| Code | Status | When | Details | Routes |',
      '| --- | --- | --- | --- | --- |',
      ...codes.map(row),
    ].join('\n'),
    'One refusal has a shape of its own and no code: advance answers 409 with `error` (`unresolved_threads`), ' +
      '`message`, `reviewId` and `unresolvedThreads` while the head of the queue has open comment threads.',
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function row(code: ErrorCode): string {
  const { status, when, details }: { status: number; when: string; details?: string } = ERRORS[code];
  return `| \`${code}\` | ${status} | ${when} | ${details ?? ''} | ${routesThatAnswer(code)} |`;
}

/** The routes that name the code as their own, or `any` for what they share. */
function routesThatAnswer(code: ErrorCode): string {
  const shared: readonly ErrorCode[] = [...SHARED_CODES, ...SIGNED_IN_CODES];
  if (shared.includes(code)) return 'any';
  const routes: RouteEntry[] = Object.values(ROUTES);
  const named = routes.filter(({ codes }) => codes.includes(code));
  return (
    named.map(({ method, template }) => `\`${method} ${template}\``).join(', ') ||
    'none: no route was reached'
  );
}
