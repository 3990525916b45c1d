const MODULES = new Set(['node:child_process', 'child_process']);
const OWN = 'MemberExpression[object.name="process"][property.name="env"]';
/** The variables of this process as the value of a field or a variable `env`, or in it. */
const INHERITED = [
  ['Property[key.name=/^env(ironment)?$/]', 'value'],
  ['VariableDeclarator[id.name=/^env(ironment)?$/]', 'init'],
]
  .flatMap(([named, value]) => [
    `${named} > ${OWN}.${value}`,
    `${named} > ObjectExpression.${value} > SpreadElement > ${OWN}`,
  ])
  .join(', ');

/**
 * Demands that a test starts processes by the functions of `@plat/testing`, which give them the environment of the run,
 * and that an environment that a test puts together begins with `testEnvironment()`, not with that of its own process.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const testProcessesRule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      starter:
        'A test starts processes by the functions of @plat/testing, which give them the environment of the run.',
      inherited: 'The environment of a process that a test starts begins with testEnvironment().',
    },
  },
  create(context) {
    const refuse = (node) => context.report({ node, messageId: 'starter' });
    const refuseImport = (node) => {
      if (MODULES.has(node.source?.value)) refuse(node);
    };
    return {
      ImportDeclaration(node) {
        if (node.importKind !== 'type' && node.specifiers.some(({ importKind }) => importKind !== 'type')) {
          refuseImport(node);
        }
      },
      ImportExpression: refuseImport,
      ExportNamedDeclaration: refuseImport,
      ExportAllDeclaration: refuseImport,
      'CallExpression[callee.name="require"]'(node) {
        if (MODULES.has(node.arguments[0]?.value)) refuse(node);
      },
      [INHERITED]: (node) => context.report({ node, messageId: 'inherited' }),
    };
  },
};
