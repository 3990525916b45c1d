/** The service's verifier: a bundle of its own, which only a push loads. */
export { judgeHere } from '@plat/verifier';
