/** A prune that cannot go on; the message names the next step. Nothing that was not exported has been removed. */
export class RetentionFault extends Error {}
