import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

const SOURCES = 'apps/plat/src';
/** Stands for words that are known only when the error is reported. */
const OPEN = '…';

interface ClientError {
  code: string;
  message: string;
  next: string;
}

/** `docs/client-errors.md`: each code with which the client itself can refuse or fail, from its sources. */
export async function renderClientErrors(root: string): Promise<string> {
  const files = (await readdir(join(root, SOURCES), { recursive: true }))
    .filter((path) => /(?<!\.spec)\.ts$/.test(path) && !path.startsWith('black-box/'))
    .sort();
  const found: ClientError[] = [];
  for (const path of files) found.push(...errorsIn(await readFile(join(root, SOURCES, path), 'utf8')));
  const codes = [...new Set(found.map(({ code }) => code))].sort();
  const parts = [
    '# Errors of the client',
    `Written by \`npm run generate\` from \`${SOURCES}\`; edit the errors there.`,
    'With `--json` an error is one value with `code`, `message` and `details`. The service has [codes of its own](errors.md). ' +
      `Where the words depend on the case, there is ${OPEN}.`,
    [
      '| Code | Messages | Next |',
      '| --- | --- | --- |',
      ...codes.map((code) =>
        rowOf(
          code,
          found.filter((each) => each.code === code),
        ),
      ),
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function rowOf(code: string, errors: readonly ClientError[]): string {
  const cell = (texts: readonly string[]) =>
    [...new Set(texts)]
      .filter((text) => text !== '' && text !== OPEN)
      .map((text) => text.replace(/\|/g, '\\|').replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;')))
      .join('<br>');
  return `| \`${code}\` | ${cell(errors.map(({ message }) => message))} | ${cell(errors.map(({ next }) => next))} |`;
}

/** The errors that a source makes by `new Failure` with a code that stands there. */
export function errorsIn(source: string): ClientError[] {
  const found: ClientError[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'Failure') {
      const [code, message, facts] = node.arguments ?? [];
      for (const each of code === undefined ? [] : codesOf(code)) {
        found.push({ code: each, message: wordsOf(message), next: wordsOf(nextOf(facts)) });
      }
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true), visit);
  return found;
}

function codesOf(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  return ts.isConditionalExpression(node) ? [...codesOf(node.whenTrue), ...codesOf(node.whenFalse)] : [];
}

function nextOf(facts: ts.Expression | undefined): ts.Expression | undefined {
  if (facts === undefined || !ts.isObjectLiteralExpression(facts)) return undefined;
  const own = facts.properties.find(
    (property): property is ts.PropertyAssignment =>
      ts.isPropertyAssignment(property) && property.name.getText() === 'next',
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
