import { hash } from 'node:crypto';

/** A SHA-1 object id: 40 lower-case hex digits. Repositories with SHA-256 ids are not read. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** Reused to hash objects: most fit into it, so that no new buffer is allocated for them. */
const hashed = Buffer.allocUnsafeSlow(16 * 1024);

/** The id that follows from the content, independent of the server's claim. */
export function objectIdOf(type: ObjectType, content: Buffer): string {
  const head = `${type} ${content.length}\0`;
  const length = head.length + content.length;
  if (length > hashed.length) return hash('sha1', Buffer.concat([Buffer.from(head), content]));
  hashed.write(head, 'latin1');
  hashed.set(content, head.length);
  return hash('sha1', hashed.subarray(0, length));
}
