import type { PlatformAlias } from '../config/cloud-alias';
import { withFileLock } from '../config/file-lock';
import { printableLine } from '../terminal/printable';
import { signInByCode } from './code-flow';
import { type DevicePrompt, signInByDevice } from './device-flow';
import { discoverProvider, providerFailure, toSession } from './identity-provider';
import { otherPageHost, signInPlace } from './sign-in-place';
import { sessionPath, type StoredSession, writeSession } from './stored-session';

export const SIGN_IN_FLOWS = ['device', 'code'] as const;
export type SignInFlow = (typeof SIGN_IN_FLOWS)[number];

/** The data that the person needs. */
export interface SignInPrompt {
  flow: SignInFlow;
  /** The API and the host of the sign-in, for the person to check. */
  place: string;
  /** The page to open. */
  address: string;
  /** The code to enter there; with the device flow only. */
  code?: string;
  /** The page with the code filled in, if there is one. */
  completeAddress?: string;
  /** The host of the page, if it is not that of the sign-in; with the device flow only. */
  otherHost?: string | undefined;
}

/** The prompt's lines. */
export function promptLines({ place, address, code, completeAddress, otherHost }: SignInPrompt): string[] {
  const lines = [
    `Signing in to ${place}`,
    code === undefined ? `Open ${address}` : `Open ${address} and enter the code ${code}`,
    ...(completeAddress === undefined ? [] : [`or open ${completeAddress}`]),
    ...(otherHost === undefined
      ? []
      : [
          `Go on only if you know that ${otherHost} is of the same provider: the code may be for another platform`,
        ]),
    'Waiting for you to sign in …',
  ];
  return lines.map(printableLine);
}

/** The prompt of a device flow. */
export function devicePrompt(alias: PlatformAlias, prompt: DevicePrompt): SignInPrompt {
  const otherHost = otherPageHost(alias, prompt.address) ?? otherPageHost(alias, prompt.completeAddress);
  return { flow: 'device', place: signInPlace(alias), ...prompt, otherHost };
}

/** How the person is asked. */
export interface Asking {
  flow: SignInFlow;
  /** Called once, before the wait for the person begins. */
  show(prompt: SignInPrompt): void;
}

/**
 * Signs a person in and stores the session for later commands.
 *
 * @throws Failure SIGN_IN_DENIED, SIGN_IN_EXPIRED, SIGN_IN_FAILED, IDENTITY_PROVIDER_FAILED, FOREIGN_TOKEN
 */
export async function signIn(
  configFolder: string,
  alias: PlatformAlias,
  asking: Asking,
): Promise<StoredSession> {
  const session = await fromProvider(alias, asking);
  const path = sessionPath(configFolder, alias);
  await withFileLock(`${path}.lock`, () => writeSession(path, session));
  return session;
}

async function fromProvider(alias: PlatformAlias, { flow, show }: Asking): Promise<StoredSession> {
  try {
    const provider = await discoverProvider(alias);
    const tokens =
      flow === 'device'
        ? await signInByDevice(provider, alias.audience, {
            show: (prompt) => show(devicePrompt(alias, prompt)),
          })
        : await signInByCode(provider, alias.audience, (address) =>
            show({ flow, place: signInPlace(alias), address }),
          );
    return toSession(tokens, alias);
  } catch (error) {
    throw providerFailure(error, alias);
  }
}
