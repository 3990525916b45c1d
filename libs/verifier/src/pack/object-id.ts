import { hash } from 'node:crypto';

/** A SHA-1 object id: 40 lower-case hex digits. Repositories with SHA-256 ids are not read. */
export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** The id that the content really has, whatever the server says. */
export function objectIdOf(type: ObjectType, content: Buffer): string {
  return hash('sha1', Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]));
}
