/** The password of every login role in a test cluster, which listens on loopback and dies with the run. */
export const LOGIN_PASSWORD = 'test';
