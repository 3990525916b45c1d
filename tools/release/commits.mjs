/**
 * The commits of a release as a section of CHANGELOG.md, by scope.
 *
 * @param {string[]} subjects of the commits without merges, newest first, as `scope: what`
 * @returns {string} Markdown
 */
export function sectionOf(subjects) {
  const scopes = new Map();
  for (const subject of subjects) {
    const [, scope = 'other', what] = /^(?:([a-z0-9 ,/.-]+): )?(.*)$/is.exec(subject);
    scopes.set(scope, [...(scopes.get(scope) ?? []), printable(what)]);
  }
  const lines = [...scopes].sort(([a], [b]) => a.localeCompare(b, 'en'));
  const items = lines.map(([scope, whats]) => `- **${scope}** ${whats.reverse().join('; ')}`);
  return ['### All commits', '', ...items, ''].join('\n');
}

/** A subject is any committer's text: without characters that a terminal obeys, or that end a line. */
const printable = (text) => text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();

/**
 * The changelog with a release's date in its heading, and its commits at the end of its section.
 *
 * @param {string} changelog
 * @param {{version: string, date: string, subjects: string[]}} release date: `YYYY-MM-DD`
 * @returns {string}
 * @throws Error if there is no section `## <version> (not released yet…)`, which a person writes
 */
export function withRelease(changelog, { version, date, subjects }) {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(not released yet[^)]*\\)$`, 'm').exec(
    changelog,
  );
  if (heading === null) {
    throw new Error(
      `CHANGELOG.md has no heading '## ${version} (not released yet)'. Write there what its deployer meets.`,
    );
  }
  const start = heading.index + heading[0].length;
  const next = changelog.indexOf('\n## ', start);
  const end = next < 0 ? changelog.length : next + 1;
  const own = changelog.slice(start, end).trimEnd();
  const dated = `## ${version} (${date})${own}\n\n${sectionOf(subjects)}`;
  const before = changelog
    .slice(0, heading.index)
    .replace('No release is tagged yet.', '')
    .replace(/ +$/m, '');
  return `${before}${dated}${next < 0 ? '' : `\n${changelog.slice(end)}`}`;
}
