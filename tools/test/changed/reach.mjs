/**
 * How many steps each file is away from the nearest of the changed ones; those that no path of the graph leads to are
 * left out.
 *
 * @param {Map<string, string[]>} users by file: those that rest on it
 * @param {Map<string, number>} changed the steps at which each changed file begins
 * @returns {Map<string, number>}
 */
export function stepsFrom(users, changed) {
  const steps = new Map();
  let waiting = [...changed].map(([file, step]) => ({ file, step }));
  for (let step = 0; waiting.length > 0; step++) {
    const now = waiting.filter((one) => one.step <= step && !steps.has(one.file));
    for (const { file } of now) steps.set(file, step);
    waiting = [
      ...waiting.filter((one) => one.step > step),
      ...now.flatMap(({ file }) => (users.get(file) ?? []).map((user) => ({ file: user, step: step + 1 }))),
    ];
  }
  return steps;
}

/** Turns a graph around: by file, those that rest on it. */
export function usersOf(graph) {
  const users = new Map();
  for (const [file, used] of graph) {
    for (const one of used) {
      if (!users.has(one)) users.set(one, []);
      users.get(one).push(file);
    }
  }
  return users;
}

/**
 * Divides specs into those that run and those that do not: the nearest first, of equally near ones those that share most
 * folders with the change, then the fastest, for as long as their times together fit. A changed spec runs always.
 *
 * @param {{file: string, steps: number, seconds: number}[]} specs
 * @param {object} limits
 * @param {string[]} limits.changed files
 * @param {number} limits.secondsMax
 */
export function divide(specs, { changed, secondsMax }) {
  const shared = new Map(specs.map(({ file }) => [file, sharedFolders(file, changed)]));
  const sorted = specs.toSorted(
    (a, b) => a.steps - b.steps || shared.get(b.file) - shared.get(a.file) || a.seconds - b.seconds,
  );
  const [running, left] = [[], []];
  let sum = 0;
  for (const spec of sorted) {
    const fits = spec.steps === 0 || sum + spec.seconds <= secondsMax;
    if (fits) sum += spec.seconds;
    (fits ? running : left).push(spec);
  }
  return { running, left };
}

/** How many folders from the root on a file has in common with one of the others, at most. */
function sharedFolders(file, others) {
  const folders = file.split('/').slice(0, -1);
  const counts = others.map((other) => {
    const words = other.split('/').slice(0, -1);
    const end = folders.findIndex((folder, index) => folder !== words[index]);
    return end === -1 ? folders.length : end;
  });
  return Math.max(0, ...counts);
}
