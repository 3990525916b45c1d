import { type Instruction, readInstructions, UnreadableDockerfile } from './dockerfile-instructions';

/** Spec: Client, Gate drive rules, rule 6; Rule G8. */
export const TEST_STAGE = 'test';

const STAGE_NAME = /^[a-z][a-z0-9_.-]*$/;

/**
 * The names of a Dockerfile's stages, in lower case, as the builder compares them. Unnamed stages are left out.
 *
 * @throws UnreadableDockerfile also if two stages have the name of the test stage: a builder runs only one of them
 */
export function stageNames(dockerfile: string): string[] {
  const stages = readInstructions(dockerfile).filter(({ name }) => name === 'FROM');
  if (stages.length === 0) throw new UnreadableDockerfile('it has no FROM');
  const names = stages.flatMap(nameOf);
  if (names.filter((name) => name === TEST_STAGE).length > 1) {
    throw new UnreadableDockerfile(`two stages are named ${TEST_STAGE}, and a builder runs only one of them`);
  }
  return names;
}

/** The name that a FROM gives to its stage, if it gives one. */
function nameOf({ rest, line }: Instruction): string[] {
  const [, as, name, ...more] = rest.split(/\s+/);
  if (rest !== '' && as === undefined) return [];
  const lower = name?.toLowerCase() ?? '';
  if (as?.toLowerCase() === 'as' && STAGE_NAME.test(lower) && more.length === 0) return [lower];
  throw new UnreadableDockerfile(
    `FROM ${rest.slice(0, 80)} is neither FROM <image> nor FROM <image> AS <name>`,
    line,
  );
}
