import { SIGN_IN_CHANNEL, type SignInMessage } from './messages';

/** How long the console has to answer. It is a page of the same browser, so this is far more than it needs. */
const ANSWER_MILLISECONDS_MAX = 5000;

/**
 * Hands what the identity provider returned to the console that opened this window, which alone has the verifier that
 * turns the code into a token.
 */
function handOver(): void {
  const { search } = location;
  // The code is worthless without the verifier; it need not stay in the address and the history all the same.
  history.replaceState(null, '', location.pathname);
  const state = new URLSearchParams(search).get('state');
  const channel = new BroadcastChannel(SIGN_IN_CHANNEL);
  const unanswered = setTimeout(() => {
    say('No page of the console waits for this sign-in. Open the console and sign in there.');
  }, ANSWER_MILLISECONDS_MAX);
  channel.addEventListener('message', ({ data }: MessageEvent<SignInMessage>) => {
    if (data.kind !== 'received' || data.state !== state) return;
    clearTimeout(unanswered);
    say('The console has what it needs. You can close this window.');
    window.close();
  });
  channel.postMessage({ kind: 'returned', search } satisfies SignInMessage);
}

function say(text: string): void {
  document.querySelector('#outcome')!.textContent = text;
}

handOver();
