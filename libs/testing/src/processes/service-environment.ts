/** The PATH of a service, which runs git. */
const PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/** The whole environment of a service on loopback; this process's own is left out. */
export function serviceEnvironment(given: Record<string, string>): Record<string, string> {
  return { PATH, HOST: '127.0.0.1', PORT: '0', DRAIN_SECONDS: '0', ...given };
}
