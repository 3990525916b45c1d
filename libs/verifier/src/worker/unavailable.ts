/** The verifier itself could not answer: its processes were lost or it has too much to do. It says nothing of a remote. */
export class VerifierUnavailable extends Error {}
