import type { Platform } from './shapes';

/** Reads the platform's public description. @throws Error with a text for the person */
export async function readPlatform(): Promise<Platform> {
  const response = await fetch('/v1/platform', { cache: 'no-store', credentials: 'omit' }).catch(
    () => undefined,
  );
  if (!response?.ok) throw new Error('The service does not answer. Load this page again in a moment.');
  const platform = (await response.json().catch(() => undefined)) as Platform | undefined;
  if (!platform?.issuer || !platform.consoleClientId) {
    throw new Error(
      'This platform has no sign-in for the console: its operator sets PLATFORM_ISSUER and PLATFORM_CONSOLE_CLIENT_ID.',
    );
  }
  leaveForItsOwnOrigin(platform.consoleUrl);
  return platform;
}

/** The provider returns to one address. Opened under another name of the same host, the console goes there first. */
function leaveForItsOwnOrigin(consoleUrl: string): void {
  if (!URL.canParse(consoleUrl)) return;
  const { origin, protocol } = new URL(consoleUrl);
  if (!/^https?:$/.test(protocol) || origin === location.origin) return;
  location.replace(origin + location.pathname + location.search);
}
