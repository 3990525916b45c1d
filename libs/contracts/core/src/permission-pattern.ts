import { PatternText } from './pattern-text';

/** Longest pattern that is read, in characters. */
export const PATTERN_LENGTH_MAX = 200;
const WILDCARDS_MAX = 4;

const LITERAL = /^[A-Za-z0-9/_{}-]$/;

/** Maps the positions at which a part of a pattern may begin in the text to those at which it may end, a bit each. */
type Part = (text: PatternText, begins: bigint) => bigint;

/**
 * A pattern over methods or route templates, which must hold for the whole text: letters, digits, `/ _ - { }`, `.` for
 * any character, `.*` (at most 4 times), `|`, and groups `( )`, each optional by a `?` behind it. Braces are literal; one
 * before a digit is refused. An accepted pattern means the same to PostgreSQL. Rule F3.
 *
 * It is matched by following all positions at once, a bit each, because a RegExp would take years for some patterns.
 */
export class PermissionPattern {
  private constructor(private readonly whole: Part) {}

  /** Reads a pattern; undefined if it does not fit the grammar. */
  static read(source: string): PermissionPattern | undefined {
    if (source === '' || source.length > PATTERN_LENGTH_MAX) return undefined;
    if (source.split('.*').length - 1 > WILDCARDS_MAX || /\{[0-9]/.test(source)) return undefined;
    const reader = new PatternReader(source);
    const whole = reader.readAlternatives();
    return whole && reader.atEnd ? new PermissionPattern(whole) : undefined;
  }

  matches(text: string): boolean {
    const read = PatternText.of(text);
    return (this.whole(read, 1n) & read.end) !== 0n;
  }
}

class PatternReader {
  private place = 0;

  constructor(private readonly source: string) {}

  get atEnd(): boolean {
    return this.place === this.source.length;
  }

  /** Reads `a|b`; undefined if it does not fit the grammar. */
  readAlternatives(): Part | undefined {
    const alternatives: Part[] = [];
    do {
      const sequence = this.readSequence();
      if (!sequence) return undefined;
      alternatives.push(sequence);
    } while (this.take('|'));
    if (alternatives.length === 1) return alternatives[0];
    return (text, begins) => alternatives.reduce((ends, part) => ends | part(text, begins), 0n);
  }

  private readSequence(): Part | undefined {
    const parts: Part[] = [];
    while (!this.atEnd && !'|)'.includes(this.source[this.place]!)) {
      const part = this.readPart();
      if (!part) return undefined;
      parts.push(part);
    }
    return (text, begins) => {
      let places = begins;
      for (const part of parts) {
        if (places === 0n) return 0n;
        places = part(text, places);
      }
      return places;
    };
  }

  private readPart(): Part | undefined {
    if (this.take('(')) return this.readGroup();
    if (this.take('.')) return this.take('*') ? anyText : anyCharacter;
    const character = this.source[this.place++]!;
    return LITERAL.test(character) ? exactly(character) : undefined;
  }

  private readGroup(): Part | undefined {
    const inner = this.readAlternatives();
    if (!inner || !this.take(')')) return undefined;
    return this.take('?') ? (text, begins) => begins | inner(text, begins) : inner;
  }

  private take(character: string): boolean {
    if (this.source[this.place] !== character) return false;
    this.place += 1;
    return true;
  }
}

const exactly =
  (character: string): Part =>
  (text, begins) =>
    (begins & text.placesOf(character)) << 1n;

const anyCharacter: Part = (text, begins) => (begins & text.places) << 1n;

/** All positions from the first on. */
const anyText: Part = (text, begins) => {
  const first = begins & -begins;
  return (text.places | text.end) & ~(first - 1n);
};
