import { printable, printableLines } from './printable';
import { exactText, relativeText } from './spans';
import { useNow } from './use-now';

/** A name from outside: text, kept apart from the direction of what is around it. */
export function Name({ text }: { text: string }) {
  return <bdi class="name">{printable(text)}</bdi>;
}

/** A text of several lines from outside. */
export function Lines({ text }: { text: string }) {
  return (
    <pre class="lines" dir="auto">
      {printableLines(text)}
    </pre>
  );
}

/** How long ago, or how far ahead; the exact time is its title. */
export function Ago({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={exactText(at)}>
      {relativeText(at, now)}
    </time>
  );
}

/** The first twelve digits of a commit; all of them are its title. */
export function Commit({ id }: { id: string }) {
  return (
    <code class="commit" title={id}>
      {id.slice(0, 12)}
    </code>
  );
}
