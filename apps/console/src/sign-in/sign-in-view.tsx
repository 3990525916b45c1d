import { useEffect, useRef, useState } from 'preact/hooks';
import { printable } from '../parts/printable';
import { Name } from '../parts/text';
import type { Platform } from '../reads/shapes';
import type { Session } from '../session/session';
import { type PreparedSignIn, prepareSignIn } from './sign-in';
import { awaitReturn, openSignInWindow } from './sign-in-window';

interface SignInProps {
  session: Session;
  platform: Platform;
}

type Step = 'preparing' | 'ready' | 'waiting' | 'blocked';

const HEADINGS = {
  out: 'Sign in',
  in: 'Sign in',
  ended: 'Your sign-in has ended',
  left: 'You have signed out',
} as const;

/** Leads through the sign-in: one button, which opens the provider's page in a window of its own. */
export function SignIn({ session, platform }: SignInProps) {
  const { step, prepared, fault, begin } = useSignIn(session, platform);
  const isNotice = session.state === 'ended';
  const Heading = isNotice ? 'h2' : 'h1';
  const content = (
    <>
      <Heading>{HEADINGS[session.state]}</Heading>
      <p>
        {isNotice && 'What you see is older. '}
        <Name text={platform.brand || 'plat'} /> asks your identity provider who you are, in a window of its
        own. This page keeps the answer in its memory alone.
      </p>
      {session.state === 'left' && (
        <p>Your session at the identity provider may go on; it will ask who you are.</p>
      )}
      <button type="button" class="primary" disabled={step === 'preparing'} onClick={begin}>
        Sign in
      </button>
      <p role="status">
        {step === 'waiting' && 'Waiting for the other window …'}
        {fault !== undefined && <strong class="stale">{fault}</strong>}
      </p>
      {step === 'blocked' && prepared !== undefined && (
        <p>
          Your browser did not open the window.{' '}
          <a href={prepared.address} target="_blank" rel="noopener">
            Open the sign-in in a tab
          </a>{' '}
          and leave this page open: it goes on by itself.
        </p>
      )}
    </>
  );
  return isNotice ? <aside class="notice">{content}</aside> : <main class="narrow">{content}</main>;
}

/** A sign-in is prepared before the click, since a browser opens a window only at once. */
function useSignIn(session: Session, platform: Platform) {
  const [step, setStep] = useState<Step>('preparing');
  const [prepared, setPrepared] = useState<PreparedSignIn>();
  const [fault, setFault] = useState<string>();
  const attempt = useRef<AbortController>(undefined);

  const prepare = async (): Promise<void> => {
    const { issuer, consoleClientId: clientId, apiUrl } = platform;
    const facts = { issuer, clientId, audience: apiUrl || location.origin };
    setStep('preparing');
    try {
      setPrepared(await prepareSignIn(facts, session.state === 'left'));
      setStep('ready');
    } catch (error) {
      setFault(`The identity provider cannot be used: ${messageOf(error)} Load the page again.`);
    }
  };
  useEffect(() => {
    void prepare();
    return () => attempt.current?.abort();
  }, [session.state]);

  const begin = (): void => {
    if (prepared === undefined) return;
    attempt.current?.abort();
    const { signal } = (attempt.current = new AbortController());
    setFault(undefined);
    awaitReturn(prepared, signal).then(
      (token) => session.begin(token),
      (error: unknown) => {
        if (signal.aborted) return;
        setFault(`The sign-in failed: ${messageOf(error)}`);
        // Its code, state and verifier are used up.
        void prepare();
      },
    );
    setStep(openSignInWindow(prepared) ? 'waiting' : 'blocked');
  };
  return { step, prepared, fault, begin };
}

/** Returns the provider's description if there is one, otherwise the message of the provider or the library. */
function messageOf(error: unknown): string {
  const { error_description: description, message } = error as {
    error_description?: string;
    message?: string;
  };
  return `${printable(description ?? message ?? String(error))}.`.replace(/\.\.$/, '.');
}
