/** Product code: no specs, no test libraries, nothing generated. */
const PRODUCT =
  /^(?:apps|libs)\/(?!testing\/|e2e\/|(?:[^/]+\/)*(?:black-box|generated)\/).*(?<!\.(?:spec|conformance))\.tsx?$/;

/** First words of names that end as participles do, and are none. */
const NO_PARTICIPLE =
  /^(?:bring|embed|everything|exceed|feed|need|nothing|ping|proceed|seed|speed|string|succeed)$/;
const IRREGULAR =
  /^(?:begun|bought|bound|broken|brought|built|caught|chosen|done|drawn|driven|fallen|found|given|gone|grown|held|hidden|kept|known|laid|left|lost|made|met|paid|said|seen|sent|shown|sold|spent|stood|taken|thought|told|understood|won|written)$/;

/**
 * Habits of a text that are counted, each with the most of them in 10,000 lines. The limits are those of six well-read
 * TypeScript and Go projects (execa, vendure, river, worker, unkey, gh), which have 303,000 lines together.
 */
const HABITS = [
  {
    name: 'asynchronous functions named by a participle',
    limit: 0.2,
    find: (text) =>
      findAll(text, /\basync (?:function\*? )?([a-z][A-Za-z0-9]*)[<(]|\bconst ([a-z]\w*) = async\b/g).filter(
        ({ found: [, one, other] }) => isParticiple(/^[a-z]+/.exec(one ?? other)[0]),
      ),
  },
  {
    name: 'comments that begin with What, Of, By or Whose',
    limit: 0.1,
    find: (text) => findAll(text, /(?:\/\*\*|\/\/|^ *\*(?=.*\*\/)) (?:What|Of|By|Whose)\b/gm),
  },
  { name: '"beside"', limit: 0.1, find: (text) => findAll(text, /\bbeside\b(?! *[.,=)}\]])/gi) },
  {
    name: '"nobody", "somebody" or "anybody"',
    limit: 0.6,
    find: (text) => findAll(text, /\b(?:nobody|somebody|anybody)\b/gi),
  },
];

/** Most characters of a commit's subject. */
const SUBJECT_LENGTH = 60;

/**
 * Counts the habits in the product's code.
 *
 * @param {{path: string, text: string}[]} files of the repository
 * @returns {{name: string, limit: number, density: number, places: string[]}[]} density and limit in 10,000 lines; places
 *   as `file:line`
 */
export function densitiesOf(files) {
  const product = files.filter(({ path }) => PRODUCT.test(path));
  const lines = product.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
  return HABITS.map(({ name, limit, find }) => {
    const places = product.flatMap(({ path, text }) => find(text).map(({ line }) => `${path}:${line}`));
    return { name, limit, density: lines === 0 ? 0 : (places.length * 10_000) / lines, places };
  });
}

/**
 * Finds subjects of commits that are too long. That of a revert is git's own.
 *
 * @param {string[]} subjects
 * @returns {string[]}
 */
export const longSubjects = (subjects) =>
  subjects.filter((subject) => subject.length > SUBJECT_LENGTH && !subject.startsWith('Revert "'));

const isParticiple = (word) =>
  !NO_PARTICIPLE.test(word) && (/(?:ed|ing)$/.test(word) || IRREGULAR.test(word));

const findAll = (text, pattern) =>
  Array.from(text.matchAll(pattern), (found) => ({
    found,
    line: text.slice(0, found.index).split('\n').length,
  }));
