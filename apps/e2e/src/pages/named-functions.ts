import * as ts from 'typescript';

/** A function of a file that has a name, and from where to where its text goes. */
export interface NamedFunction {
  name: string;
  from: number;
  to: number;
}

/** The innermost function with a name around a place of a text, if there is one. */
export function functionAround(place: number, text: string): NamedFunction | undefined {
  let found: NamedFunction | undefined;
  for (const node of nodesOf(text)) {
    const name = nameOf(node);
    if (name !== undefined && node.getStart() <= place && place < node.end) {
      found = { name, from: node.getStart(), to: node.end };
    }
  }
  return found;
}

/** The place at which a text first calls a function, outside of the function itself if it is of this text. */
export function firstCall(name: string, text: string, itself?: NamedFunction): number | undefined {
  return nodesOf(text)
    .filter((node) => ts.isCallExpression(node) && calledName(node.expression) === name)
    .map((node) => node.getStart())
    .find((start) => !itself || start < itself.from || start >= itself.to);
}

const parsed = new Map<string, ts.Node[]>();

/** All nodes of a text, each before those within it. A text is parsed once. */
function nodesOf(text: string): ts.Node[] {
  const known = parsed.get(text);
  if (known) return known;
  const nodes: ts.Node[] = [];
  parsed.set(text, nodes);
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('page.ts', text, ts.ScriptTarget.Latest, true));
  return nodes;
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText();
  const made = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  return made && (ts.isArrowFunction(made) || ts.isFunctionExpression(made))
    ? (node as ts.VariableDeclaration).name.getText()
    : undefined;
}

function calledName(called: ts.Expression): string | undefined {
  if (ts.isIdentifier(called)) return called.text;
  return ts.isPropertyAccessExpression(called) ? called.name.text : undefined;
}
