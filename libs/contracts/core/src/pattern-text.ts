/** Most texts that are cached: more than there are methods and route templates. */
const KEPT_MAX = 500;

/** A text that patterns are matched against. A bit stands for each position; the lowest is the first position's. */
export class PatternText {
  private static readonly kept = new Map<string, PatternText>();

  /** The positions of all characters. */
  readonly places: bigint;
  /** The position behind the last character. */
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

  /** The positions of a character. */
  placesOf(character: string): bigint {
    return this.characters.get(character) ?? 0n;
  }
}
