/**
 * The linter's findings in files that had landed before it was asked, and are never edited: by rule, the files and why
 * the finding did no harm. A later file says so itself, in the line above the statement:
 * `-- squawk-ignore ban-drop-function -- the reason`.
 *
 * @type {{rule: string, files: string[], reason: string}[]}
 */
export const LANDED = [
  {
    rule: 'prefer-bigint-over-int',
    files: ['0002', '0005', '0007', '0013', '0030'],
    reason: 'counts and versions that checks or caps keep small',
  },
  {
    rule: 'prefer-bigint-over-smallint',
    files: ['0030'],
    reason: 'a count that a check keeps small',
  },
  {
    rule: 'constraint-missing-not-valid',
    files: ['0006', '0016', '0019'],
    reason: 'the tables were new, or small, at the first deployment',
  },
  {
    rule: 'adding-foreign-key-constraint',
    files: ['0006'],
    reason: 'the tables were empty at the first deployment',
  },
  {
    rule: 'require-concurrent-index-creation',
    files: ['0014', '0017'],
    reason: 'landed before indexes were a matter of concurrent-indexes.ts',
  },
  {
    rule: 'ban-drop-constraint',
    files: ['0019'],
    reason: 'the same file puts a wider check in its place',
  },
  {
    rule: 'ban-drop-function',
    files: ['0024', '0030', '0040', '0052', '0060'],
    reason:
      'internal, of pg_temp, or made again by the same file so that a call with the old arguments still finds it',
  },
  {
    rule: 'ban-new-write-restriction',
    files: ['0006', '0016', '0019', '0021', '0030', '0040', '0045', '0052', '0066'],
    reason: 'holds for columns and values that the release before never writes',
  },
];
