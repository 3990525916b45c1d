/** The settings that the server of the console's image reads from its environment. */
export interface ConsoleConfig {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Seconds after SIGTERM in which it continues to serve, until the edge has noticed. */
  drainSeconds: number;
  /** Origins of identity providers that browsers may ask. */
  providerOrigins: string[];
}

/** The settings are invalid. The message lists every fault, by variable. */
export class ConsoleConfigError extends Error {}

/** Reads and checks the environment. @throws ConsoleConfigError */
export function readConsoleConfig(environment: NodeJS.ProcessEnv = process.env): ConsoleConfig {
  const {
    HOST: host = '0.0.0.0',
    PORT = '8080',
    DRAIN_SECONDS = '5',
    CONSOLE_PROVIDER_ORIGINS = '',
  } = environment;
  const providerOrigins = CONSOLE_PROVIDER_ORIGINS.split(/[\s,]+/).filter((origin) => origin !== '');
  const faults = [
    ...outOf('PORT', PORT, 65_535),
    ...outOf('DRAIN_SECONDS', DRAIN_SECONDS, 600),
    ...providerOrigins
      .filter((origin) => !isOrigin(origin))
      .map(
        (origin) => `CONSOLE_PROVIDER_ORIGINS: ${origin} must be an origin, such as https://id.example.com`,
      ),
  ];
  if (faults.length > 0) {
    throw new ConsoleConfigError(
      `The configuration cannot be used:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
  }
  return { host, port: Number(PORT), drainSeconds: Number(DRAIN_SECONDS), providerOrigins };
}

function outOf(name: string, text: string, most: number): string[] {
  const fits = /^\d{1,6}$/.test(text) && Number(text) <= most;
  return fits ? [] : [`${name} must be a whole number from 0 to ${most}`];
}

/** A URL's host may have a semicolon in it, which would end a directive. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/;

/** Whether the text is one origin. A text in the policy must be one, and can then end no directive. */
function isOrigin(text: string): boolean {
  return ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
