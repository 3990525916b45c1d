/** A log is not what its keys have signed, or breaks a rule of its own. The message is one plain sentence. */
export class Altered extends Error {
  constructor(
    message: string,
    /** The first entry that is concerned; undefined if it is not known. */
    readonly index?: number,
  ) {
    super(message);
  }
}
