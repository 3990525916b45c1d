export { audiencesOf, mayBeFor } from './token-audience';
