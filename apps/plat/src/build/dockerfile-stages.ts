/** Spec: Client, Gate drive rules, rule 6; Decision G8. */
export const TEST_STAGE = 'test';

const FROM = /^\s*FROM\s+(?:--\S+\s+)*\S+(?:\s+AS\s+(\S+))?/i;
const HEREDOC = /^\s*(?:RUN|COPY|ADD)\b.*?<<-?\s*["']?([A-Za-z_]\w*)["']?/i;

/** The names of a Dockerfile's stages, in lower case, as the builder compares them. Unnamed stages are left out. */
export function stageNames(dockerfile: string): string[] {
  const names: string[] = [];
  let heredoc: string | undefined;
  for (const line of instructions(dockerfile)) {
    if (heredoc !== undefined) {
      if (line.trim() === heredoc) heredoc = undefined;
      continue;
    }
    heredoc = HEREDOC.exec(line)?.[1];
    const name = FROM.exec(line)?.[1];
    if (name !== undefined) names.push(name.toLowerCase());
  }
  return names;
}

/** Lines with their continuations joined, without comments. */
function instructions(dockerfile: string): string[] {
  const lines = dockerfile.split(/\r?\n/).filter((line) => !/^\s*#/.test(line));
  return lines
    .join('\n')
    .replace(/\\[ \t]*\n/g, ' ')
    .split('\n');
}
