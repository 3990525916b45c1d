import { useEffect, useMemo, useState } from 'preact/hooks';
import { AppContext } from './app-context';
import { Frame } from './frame';
import { PlacePage } from './places/place-page';
import { usePlace } from './places/use-place';
import { ApiReader } from './reads/api-reader';
import { useMe, useUsernames } from './reads/people';
import { readPlatform } from './reads/platform';
import type { Platform } from './reads/shapes';
import { Session } from './session/session';
import { SignIn } from './sign-in/sign-in-view';

/** The console of one page load. Only this page knows the person who signs in on it. */
export function App() {
  const [session] = useState(() => new Session());
  const [platform, setPlatform] = useState<Platform | string>();
  const [, redraw] = useState(0);
  useEffect(() => {
    readPlatform().then(setPlatform, (error: Error) => setPlatform(error.message));
    return session.subscribe(() => redraw((count) => count + 1));
  }, []);

  if (platform === undefined) return <Waiting text="Reading what this platform is …" />;
  if (typeof platform === 'string') return <Waiting text={platform} />;
  const signIn = <SignIn session={session} platform={platform} />;
  if (session.state === 'out' || session.state === 'left') return signIn;
  const notice = session.state === 'ended' ? signIn : undefined;
  // Another person may sign in after the session has ended. The key discards everything that was read before.
  return <SignedIn key={session.begun} session={session} platform={platform} signIn={notice} />;
}

function Waiting({ text }: { text: string }) {
  return (
    <main class="narrow">
      <p role="status">{text}</p>
    </main>
  );
}

interface SignedInProps {
  session: Session;
  platform: Platform;
  /** Shown above the place once the sign-in has ended. */
  signIn?: preact.ComponentChildren;
}

function SignedIn({ session, platform, signIn }: SignedInProps) {
  const reader = useMemo(() => new ApiReader(session), [session]);
  const { place, go } = usePlace();
  const { me, failure } = useMe(reader);
  const usernameOf = useUsernames(reader);
  const facts = useMemo(() => ({ reader, me, usernameOf, go }), [reader, me, usernameOf]);
  return (
    <AppContext.Provider value={facts}>
      <Frame place={place} brand={platform.brand} onLeave={() => session.leave()} notice={signIn}>
        <PlacePage key={JSON.stringify(place)} place={place} whoFailure={failure} />
      </Frame>
    </AppContext.Provider>
  );
}
