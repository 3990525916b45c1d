import { posix } from 'node:path';

/** The files that a stage makes by a command: the output of tools/build/build.mjs. */
const BUILD = /^node tools\/build\/build\.mjs (apps\/\S+)$/;

/**
 * Checks, without docker, that a Dockerfile builds and that its image starts. It knows the instructions that the
 * repository's Dockerfile uses and refuses all others, so that no line goes unread.
 *
 * @param {string} text
 * @param {{arguments: Record<string, string>, context: string[], built: (app: string) => string[]}} world the values of
 *   ARG; the files of the context, as paths in the repository; the files that the build of an app makes
 * @returns {string[]} the faults, in words; empty when there are none
 */
export function faultsOf(text, world) {
  const reading = { ...world, faults: [], stages: new Map(), stage: undefined };
  for (const line of logicalLines(text)) {
    const [instruction, rest] = splitOnce(line);
    const read = INSTRUCTIONS[instruction];
    if (!read) reading.faults.push(`no instruction that is known: ${line}`);
    else if (instruction !== 'FROM' && !reading.stage) reading.faults.push(`before the first stage: ${line}`);
    else read(reading, expanded(reading, rest));
  }
  if (!reading.stage?.command) reading.faults.push('the last stage has no command');
  return reading.faults;
}

const INSTRUCTIONS = {
  FROM(reading, rest) {
    const [image, as, name] = rest.split(/\s+/);
    const known = reading.stages.has(image) || /^[a-z0-9./-]+:[\w.-]+$/.test(image ?? '');
    if (!known) reading.faults.push(`FROM names no stage, nor an image with its tag: ${image}`);
    if (as !== undefined && (as.toUpperCase() !== 'AS' || !name)) reading.faults.push(`FROM ${rest}`);
    reading.stage = { directory: '/', files: new Set(), variables: {}, command: undefined };
    if (name) reading.stages.set(name, reading.stage);
  },
  WORKDIR: (reading, rest) => (reading.stage.directory = posix.resolve(reading.stage.directory, rest)),
  ARG(reading, rest) {
    const [name, fallback] = rest.split('=');
    const value = reading.arguments[name] ?? fallback;
    if (value === undefined) reading.faults.push(`ARG ${name} is given nowhere`);
    reading.stage.variables[name] = value ?? '';
  },
  ENV(reading, rest) {
    const [name, value = ''] = rest.split('=');
    reading.stage.variables[name] = value;
  },
  COPY(reading, rest) {
    const words = rest.split(/\s+/);
    const from = words[0].startsWith('--from=') ? words.shift().slice('--from='.length) : undefined;
    if (from !== undefined && !reading.stages.has(from)) {
      reading.faults.push(`COPY from a stage that there is not: ${from}`);
    }
    const target = words.pop();
    const source =
      from === undefined
        ? new Set(reading.context.map((file) => `/${file}`))
        : reading.stages.get(from)?.files;
    for (const path of words) copy(reading, { source: source ?? new Set(), path, target });
  },
  RUN(reading, command) {
    const { stage } = reading;
    const built = BUILD.exec(command)?.[1];
    const script = /^node (\S+\.[cm]?js)/.exec(command)?.[1];
    if (script && !stage.files.has(posix.resolve(stage.directory, script))) {
      reading.faults.push(`RUN starts a file that is not there: ${script}`);
    }
    if (
      command.startsWith('npm ci') &&
      !['package.json', 'package-lock.json'].every((file) =>
        stage.files.has(posix.join(stage.directory, file)),
      )
    ) {
      reading.faults.push('npm ci has no package-lock.json');
    }
    if (!built) return;
    for (const file of reading.built(built)) {
      stage.files.add(posix.join(stage.directory, 'dist', built, file));
    }
  },
  USER: () => undefined,
  EXPOSE: () => undefined,
  CMD(reading, rest) {
    const { stage } = reading;
    stage.command = rest;
    const [program, script] = asList(rest);
    if (program !== 'node' || !stage.files.has(posix.resolve(stage.directory, script ?? ''))) {
      reading.faults.push(`CMD starts a file that is not in the image: ${rest}`);
    }
  },
};

function copy({ stage, faults }, { source, path, target }) {
  const from = posix.resolve('/', path);
  const found = [...source].filter(
    (file) => file === from || file.startsWith(from === '/' ? '/' : `${from}/`),
  );
  if (found.length === 0) return void faults.push(`COPY of a path that is not there: ${path}`);
  const place = posix.resolve(stage.directory, target);
  for (const file of found) {
    const name = file === from ? posix.basename(file) : posix.relative(from, file);
    stage.files.add(file === from && !target.endsWith('/') ? place : posix.join(place, name));
  }
}

/** The lines without comments, each with its continuations. */
const logicalLines = (text) =>
  text
    .replace(/^\s*#.*\n?/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function splitOnce(line) {
  const [first] = line.split(/\s+/, 1);
  return [first.toUpperCase(), line.slice(first.length).trim()];
}

/** Substitutes the stage's variables. An undeclared one is a fault here; docker would take it for empty. */
function expanded({ stage, faults }, text) {
  return text.replace(/\$\{?([A-Z_]+)\}?/g, (_, name) => {
    const value = stage?.variables[name];
    if (value === undefined) faults.push(`the stage does not declare ${name}`);
    return value ?? '';
  });
}

function asList(text) {
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
