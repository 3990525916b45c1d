import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { type ErrorGroup, readClientErrors, REGISTRY } from './client-error-registry';

const SOURCES = 'apps/plat/src';
const EQUALITIES: readonly ts.SyntaxKind[] = [
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
];
/** Stands for words that are known only when the error is reported. */
const OPEN = '…';

interface ClientError {
  code: string;
  message: string;
  next: string;
}

/** The second part of `docs/errors.md`: each code of the client's registry, with the words of the places that make it. */
export async function renderClientErrors(root: string): Promise<string> {
  const made = (await readClientSources(root)).flatMap(errorsIn);
  const parts = [
    '## Errors of the client',
    `The meanings are from the registry in \`${REGISTRY}\`, messages and next steps from the other files of ` +
      `\`${SOURCES}\`; edit them there. Where the words depend on the case, there is ${OPEN}.`,
    'With `--json` an error is one value with `code`, `message` and `details`. A refusal of the service keeps its code from ' +
      'above. An error of the operating system has its own, such as `ENOSPC`.',
    ...(await readClientErrors(root)).map((group) => sectionOf(group, made)),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The sources of the client that can make errors: all but its registry, its specs and their tools. */
export async function readClientSources(root: string): Promise<string[]> {
  const paths = (await readdir(join(root, SOURCES), { recursive: true }))
    .filter((path) => /(?<!\.spec)\.ts$/.test(path) && !/^(?:black-box|error-codes)\//.test(path))
    .sort();
  return Promise.all(paths.map((path) => readFile(join(root, SOURCES, path), 'utf8')));
}

function sectionOf({ title, meanings }: ErrorGroup, made: readonly ClientError[]): string {
  const rows = [...meanings].map(([code, meaning]) => {
    const own = made.filter((each) => each.code === code);
    const words = [own.map(({ message }) => message), own.map(({ next }) => next)].map(cellOf);
    return `| \`${code}\` | ${[cellOf([meaning]), ...words].join(' | ')} |`;
  });
  return [
    `### ${title}`,
    '',
    '| Code | Meaning | Messages | Next |',
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function cellOf(texts: readonly string[]): string {
  return [...new Set(texts)]
    .filter((text) => text !== '' && text !== OPEN)
    .map((text) => text.replace(/\|/g, '\\|').replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;')))
    .join('<br>');
}

/** The errors that a source makes with a code that stands there: by `new Failure`, and as objects with `code` and `next`. */
export function errorsIn(source: string): ClientError[] {
  const found: ClientError[] = [];
  const add = (
    code: ts.Expression | undefined,
    message: ts.Expression | undefined,
    next: ts.Expression | undefined,
  ) => {
    for (const each of code === undefined ? [] : codesOf(code)) {
      found.push({ code: each, message: wordsOf(message), next: wordsOf(next) });
    }
  };
  visitAll(source, (node) => {
    if (isFailure(node)) {
      const [code, message, facts] = node.arguments ?? [];
      add(code, message, propertyOf(facts, 'next'));
    }
    if (propertyOf(node, 'next') !== undefined) {
      add(
        propertyOf(node, 'code'),
        propertyOf(node, 'message') ?? propertyOf(node, 'reason'),
        propertyOf(node, 'next'),
      );
    }
  });
  return found;
}

/** `new Failure(…)`, and `super(…)` of a class that extends it. */
function isFailure(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  if (ts.isNewExpression(node)) return node.expression.getText() === 'Failure';
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;
}

/** The texts of a source that are values, and not only compared with one or listed to be found in. */
export function valuesIn(source: string): string[] {
  const found: string[] = [];
  visitAll(source, (node) => {
    if (!ts.isStringLiteral(node)) return;
    const { parent } = node;
    const isCompared =
      ts.isArrayLiteralExpression(parent) ||
      ts.isCaseClause(parent) ||
      ts.isLiteralTypeNode(parent) ||
      (ts.isBinaryExpression(parent) && EQUALITIES.includes(parent.operatorToken.kind));
    if (!isCompared) found.push(node.text);
  });
  return found;
}

function visitAll(source: string, look: (node: ts.Node) => void): void {
  const visit = (node: ts.Node): void => {
    look(node);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true), visit);
}

function codesOf(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  return ts.isConditionalExpression(node) ? [...codesOf(node.whenTrue), ...codesOf(node.whenFalse)] : [];
}

function propertyOf(node: ts.Node | undefined, name: string): ts.Expression | undefined {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  const own = node.properties.find(
    (property): property is ts.PropertyAssignment =>
      ts.isPropertyAssignment(property) && property.name.getText() === name,
  );
  return own?.initializer;
}

/** The words of an expression, as far as they stand in the source. */
function wordsOf(node: ts.Expression | undefined): string {
  if (node === undefined) return '';
  if (ts.isStringLiteralLike(node)) return onOneLine(node.text);
  if (ts.isParenthesizedExpression(node)) return wordsOf(node.expression);
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(({ literal }) => `${OPEN}${literal.text}`);
    return onOneLine(`${node.head.text}${spans.join('')}`);
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return `${wordsOf(node.left)}${wordsOf(node.right)}`;
  }
  if (ts.isConditionalExpression(node)) {
    return [node.whenTrue, node.whenFalse].map(wordsOf).filter(Boolean).join(' / ');
  }
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(wordsOf).join(' ');
  const isNextStep = ts.isCallExpression(node) && node.expression.getText() === 'nextStep';
  return isNextStep
    ? node.arguments
        .map(wordsOf)
        .join(' ')
        .replace(/ (?=[,;.])/g, '')
    : OPEN;
}

const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');
