/** The service's verifier: a bundle of its own, which few commands load. */
export { findUndoneHere, judgeHere, withLandingsHere } from '@plat/verifier';
