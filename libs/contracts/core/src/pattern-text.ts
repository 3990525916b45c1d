/** Most texts that are cached: more than there are methods and route templates. */
const KEPT_MAX = 500;

/** A text for patterns: a bit for each position, the lowest for the first. */
export class PatternText {
  private static readonly kept = new Map<string, PatternText>();

  /** A bit for each character. */
  readonly places: bigint;
  /** The bit behind the last character. */
  readonly end: bigint;
  private readonly characters = new Map<string, bigint>();

  private constructor(text: string) {
    this.end = 1n << BigInt(text.length);
    this.places = this.end - 1n;
    for (let place = 0; place < text.length; place++) {
      const character = text[place]!;
      this.characters.set(character, this.placesOf(character) | (1n << BigInt(place)));
    }
  }

  static of(text: string): PatternText {
    let read = this.kept.get(text);
    if (!read) {
      read = new PatternText(text);
      if (this.kept.size < KEPT_MAX) this.kept.set(text, read);
    }
    return read;
  }

  /** Where a character stands. */
  placesOf(character: string): bigint {
    return this.characters.get(character) ?? 0n;
  }
}
