/** The verifier could not answer: its processes were lost, or it has too much to do. No statement about the remote. */
export class VerifierUnavailable extends Error {}
