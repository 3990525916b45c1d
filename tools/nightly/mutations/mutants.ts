import ts from 'typescript';

/** One small change of a source file. */
export interface Mutant {
  /** Offsets in the source, from 0; `end` is exclusive. */
  start: number;
  end: number;
  replacement: string;
}

const { SyntaxKind } = ts;

const OPERATORS: Partial<Record<ts.SyntaxKind, readonly string[]>> = {
  [SyntaxKind.LessThanToken]: ['<=', '>='],
  [SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [SyntaxKind.PlusToken]: ['-'],
  [SyntaxKind.MinusToken]: ['+'],
  [SyntaxKind.AsteriskToken]: ['/'],
  [SyntaxKind.SlashToken]: ['*'],
  [SyntaxKind.PercentToken]: ['*'],
  [SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [SyntaxKind.BarBarToken]: ['&&'],
  [SyntaxKind.QuestionQuestionToken]: ['&&'],
  [SyntaxKind.PlusEqualsToken]: ['-='],
  [SyntaxKind.MinusEqualsToken]: ['+='],
  [SyntaxKind.BarBarEqualsToken]: ['&&='],
  [SyntaxKind.QuestionQuestionEqualsToken]: ['&&='],
};

const METHODS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toReversed: 'slice',
  toLowerCase: 'toUpperCase',
};

/** All changes that can be made to a source, each by itself. Types and imports stay as they are. */
export function mutantsOf(source: string): Mutant[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    for (const replacement of replacementsOf(node)) {
      found.push({ start: node.getStart(file), end: node.getEnd(), replacement });
    }
    node.forEachChild(visit);
  };
  file.forEachChild(visit);
  return found;
}

function replacementsOf(node: ts.Node): readonly string[] {
  if (isCondition(node)) return ['true', 'false', ...replacementsOfExpression(node)];
  return replacementsOfExpression(node);
}

function replacementsOfExpression(node: ts.Node): readonly string[] {
  if (ts.isBinaryExpression(node.parent) && node === node.parent.operatorToken) {
    return OPERATORS[node.kind] ?? [];
  }
  if (node.kind === SyntaxKind.TrueKeyword) return ['false'];
  if (node.kind === SyntaxKind.FalseKeyword) return ['true'];
  if (ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken) {
    return [node.operand.getText()];
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return replacementOfText(node);
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) return ['[]'];
  if (ts.isIdentifier(node) && ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) {
    return [METHODS[node.text] ?? []].flat();
  }
  if (ts.isBlock(node) && node.statements.length > 0) return ['{}'];
  if (ts.isThrowStatement(node)) return [';'];
  return [];
}

function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  // A condition that is always true would loop forever.
  return false;
}

function replacementOfText(node: ts.StringLiteralLike): readonly string[] {
  const isName = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  if (isName || ts.isLiteralTypeNode(node.parent) || ts.isExternalModuleReference(node.parent)) return [];
  return node.text === '' ? ["'mutant'"] : ["''"];
}
