import ts from 'typescript';

/** The member that distinguishes a NextStep from another text, as the compiler names it. */
const BRAND = /^__@quoted@/;
const MESSAGE =
  'A next step with words from outside is built by nextStep of terminal/next-step, which quotes each of them.';
/** A text with this announces a next step. */
const ANNOUNCEMENT = /\bnext: /i;

/**
 * Demands that each `next` of a failure or an answer, and each text behind "next:", is a literal or of the type NextStep.
 * It reads types: a name for a text that was put together elsewhere is refused as well.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const nextStepRule = {
  meta: { type: 'problem', schema: [], messages: { unquoted: MESSAGE } },
  create(context) {
    const { parserServices } = context.sourceCode;
    const demand = (node) => {
      if (!isStep(parserServices.getTypeAtLocation(node))) context.report({ node, messageId: 'unquoted' });
    };
    return {
      'ObjectExpression > Property[key.name="next"]': ({ value }) => demand(value),
      'AssignmentExpression[left.property.name="next"]': ({ right }) => demand(right),
      TemplateLiteral({ quasis, expressions }) {
        const announced = quasis.findIndex(({ value }) => ANNOUNCEMENT.test(value.cooked));
        if (announced >= 0) expressions.slice(announced).forEach(demand);
      },
    };
  },
};

/** A type that is no text is another `next`, such as the one of an iterator. */
function isStep(type) {
  if (type.isUnion()) return type.types.every(isStep);
  if (type.isIntersection()) return type.getProperties().some(({ escapedName }) => BRAND.test(escapedName));
  if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return false;
  return !(type.flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping));
}
