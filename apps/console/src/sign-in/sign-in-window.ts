import type { Token } from '../session/session';
import { SIGN_IN_CHANNEL, type SignInMessage } from './messages';
import type { PreparedSignIn } from './sign-in';

/**
 * Opens the provider's page in a window of its own. This page stays as it is: it keeps the verifier in memory, and the
 * place that it shows. The caller is a click, because a browser opens no window otherwise.
 *
 * @returns false if the browser opened none; the person may then follow a link to the same address
 */
export function openSignInWindow({ address }: PreparedSignIn): boolean {
  const opened = window.open('', '_blank', 'popup,width=480,height=680');
  if (opened === null) return false;
  // The provider's page could otherwise send this page to another address while the person looks at the window.
  opened.opener = null;
  opened.location.replace(address);
  return true;
}

/** Waits for the window of this sign-in, however it was opened. Messages of other sign-ins are not for this page. */
export async function awaitReturn({ state, finish }: PreparedSignIn, signal: AbortSignal): Promise<Token> {
  const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
  try {
    const search = await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      channel.addEventListener('message', ({ data }: MessageEvent<SignInMessage>) => {
        if (data.kind !== 'returned' || new URLSearchParams(data.search).get('state') !== state) return;
        channel.postMessage({ kind: 'received', state } satisfies SignInMessage);
        resolve(data.search);
      });
    });
    return await finish(search);
  } finally {
    channel.close();
  }
}
