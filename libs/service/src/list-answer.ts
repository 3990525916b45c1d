import { StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';

/** A JSON array: as it is, or on its way out while it is read when it is long. */
export type ListAnswer<Item> = Item[] | StreamableFile;

/** Items that are collected before the answer begins: most listings are shorter, and are answered whole. */
const WHOLE_ITEMS_MAX = 500;
const PIECE_CHARACTERS = 64 * 1024;

/**
 * Answers a listing of any length without holding it. Once the answer has begun a failure cuts the connection, so that
 * nobody takes half a listing for a whole one.
 *
 * @param list hands each item to `add`
 * @throws what `list` throws before the answer has begun
 */
export function answerList<Item>(
  list: (add: (item: Item) => void) => Promise<void>,
): Promise<ListAnswer<Item>> {
  return new Promise((resolve, reject) => {
    const items: Item[] = [];
    let stream: ArrayStream | undefined;
    const add = (item: Item): void => {
      if (stream) return stream.add(item);
      if (items.push(item) <= WHOLE_ITEMS_MAX) return;
      stream = new ArrayStream(items.splice(0));
      resolve(new StreamableFile(stream.body, { type: 'application/json; charset=utf-8' }));
    };
    list(add).then(
      () => (stream ? stream.end() : resolve(items)),
      (error: unknown) => (stream ? stream.fail(error) : reject(error)),
    );
  });
}

/** A JSON array that grows. What the caller has not taken yet waits as text. */
class ArrayStream {
  readonly body = new Readable({ read: () => undefined });
  private piece: string;

  constructor(items: unknown[]) {
    this.piece = JSON.stringify(items).slice(0, -1);
  }

  add(item: unknown): void {
    this.piece += `,${JSON.stringify(item)}`;
    if (this.piece.length >= PIECE_CHARACTERS) this.push();
  }

  end(): void {
    this.piece += ']';
    this.push();
    if (!this.body.destroyed) this.body.push(null);
  }

  fail(error: unknown): void {
    this.body.destroy(error instanceof Error ? error : new Error(String(error)));
  }

  /** A caller who has gone away gets nothing more. */
  private push(): void {
    if (!this.body.destroyed) this.body.push(this.piece);
    this.piece = '';
  }
}
