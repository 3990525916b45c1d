import { Seeded } from './seeded';

/** The source branches of a benchmark repository. */
export type Review = 'near' | 'far' | 'lost';

/** Where a review's branch starts and lands, in commits along first parents back from the tip of `main`. */
export interface ReviewPlan {
  startsBack: number;
  /** The place of its squash; absent if it never lands. */
  landsBack?: number;
}

type Files = readonly (readonly [path: string, lines: readonly string[]])[];

const DIRECTORIES = 20;
const FILES_PER_DIRECTORY = 25;
const LINES = 40;
/** One in this many commits of `main` merges a side branch of one commit. */
const MERGE_EVERY = 10;
/** Files that a review changes. Other commits change them too, so the verifier has to compare lines. */
const REVIEW_FILES = 3;
const REVIEW_LINE = 17;
const WORDS = 'the queue takes a ticket reads git locks moves rows adds tests fixes names keeps order'.split(
  ' ',
);

/** Writes `git fast-import` commands for a repository like a real one. The same size gives the same repository. */
export class HistoryStream {
  private readonly seeded = new Seeded();
  private readonly files = new Map<string, readonly string[]>();
  private marks = 0;
  /** The mark of the newest commit on `main`. */
  private tip = 0;

  /** @param commits number of commits on `main`, including those of side branches */
  constructor(
    private readonly commits: number,
    private readonly reviews: ReadonlyMap<Review, ReviewPlan>,
  ) {}

  *chunks(): Generator<string> {
    yield this.firstCommit();
    for (let back = Math.floor((this.commits * MERGE_EVERY) / (MERGE_EVERY + 1)); back >= 0; back -= 1) {
      yield* this.nextOfMain(back);
      for (const [review, { startsBack }] of this.reviews) {
        if (startsBack === back) yield this.commit(review, [this.tip], this.changesOf(review));
      }
    }
    yield `reset refs/heads/main\nfrom :${this.tip}\n\nreset refs/heads/side\nfrom ${'0'.repeat(40)}\n\ndone\n`;
  }

  private *nextOfMain(back: number): Generator<string> {
    const parents = [this.tip];
    const landed = [...this.reviews].find(([, { landsBack }]) => landsBack === back);
    const changes = landed ? this.changesOf(landed[0]) : this.edit();
    for (const [path, lines] of changes) this.files.set(path, lines);
    if (!landed && back % MERGE_EVERY === 0) {
      yield this.commit('side', parents, changes);
      parents.push(this.marks);
    }
    yield this.commit('main', parents, changes);
    this.tip = this.marks;
  }

  private firstCommit(): string {
    for (let directory = 0; directory < DIRECTORIES; directory += 1) {
      for (let file = 0; file < FILES_PER_DIRECTORY; file += 1) {
        const lines = Array.from({ length: LINES }, (_, line) => `${this.words(6)} ${line}\n`);
        this.files.set(`directory-${directory}/file-${file}`, lines);
      }
    }
    const text = this.commit('main', [], [...this.files]);
    this.tip = this.marks;
    return text;
  }

  /** Each review changes its own files, in the same line of each. */
  private changesOf(review: Review): Files {
    const first = [...this.reviews.keys()].indexOf(review) * REVIEW_FILES;
    return [...this.files]
      .slice(first, first + REVIEW_FILES)
      .map(([path, lines]) => [path, lines.with(REVIEW_LINE, `what the review ${review} adds\n`)]);
  }

  /** Changes one line of one file, but never a line that a review changes. */
  private edit(): Files {
    const [path, lines] = this.seeded.pick([...this.files]);
    const line = this.seeded.next(REVIEW_LINE - 2);
    return [[path, lines.with(line, `${this.words(6)} ${this.seeded.next(1_000_000)}\n`)]];
  }

  private commit(branch: string, [first, ...others]: readonly number[], files: Files): string {
    this.marks += 1;
    return [
      `commit refs/heads/${branch}\nmark :${this.marks}\n${this.people()}`,
      data(`${this.words(8)}\n\n${this.words(40)} #${this.seeded.next(100_000)}\n`),
      first === undefined ? '' : `from :${first}\n`,
      ...others.map((parent) => `merge :${parent}\n`),
      ...files.map(([path, lines]) => `M 100644 inline ${path}\n${data(lines.join(''))}`),
      '\n',
    ].join('');
  }

  private people(): string {
    const date = 1_500_000_000 + this.marks * 600;
    const [author, committer] = [this.seeded.next(500), this.seeded.next(20)];
    return (
      `author Person ${author} <person-${author}@example.com> ${date} +0200\n` +
      `committer Maintainer ${committer} <maintainer-${committer}@example.com> ${date} +0000\n`
    );
  }

  private words(count: number): string {
    return Array.from({ length: count }, () => this.seeded.pick(WORDS)).join(' ');
  }
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}
