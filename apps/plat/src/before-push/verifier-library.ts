/** The service's verifier: a bundle of its own, which few commands load. */
export { findUndoneHere, isSaidRevert, judgeHere, withLandingsHere } from '@plat/verifier';
