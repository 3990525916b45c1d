/** A comment by which oxlint leaves rules out. */
const OF_OXLINT = /\boxlint-(?:disable|enable)/;
/** A comment by which eslint, and oxlint too, leave out every rule. After `--` comes its reason. */
const OF_EVERY_RULE = /^\s*eslint-disable(?:-next-line|-line)?\s*(?:--|$)/;

/**
 * Demands that a comment that turns rules off is one of eslint and names them. oxlint obeys the others as well, and it alone
 * checks the rules that need types: a comment that turned off one of these would be seen by no check.
 *
 * @type {import('eslint').Rule.RuleModule}
 */
export const namedRulesRule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      oxlint:
        'The comment in line {{line}} turns off rules of oxlint, and no check would say so: mend the code.',
      all: 'The comment in line {{line}} turns off every rule: name the rules of eslint.',
    },
  },
  create({ report, sourceCode }) {
    const refuse = ({ loc }, messageId) =>
      // Before the file's first character, where no comment in it turns this rule off.
      report({ loc: { line: 1, column: -1 }, messageId, data: { line: loc.start.line } });
    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) {
          if (OF_OXLINT.test(comment.value)) refuse(comment, 'oxlint');
          else if (OF_EVERY_RULE.test(comment.value)) refuse(comment, 'all');
        }
      },
    };
  },
};
