import { useState } from 'preact/hooks';
import { printable } from './printable';

/** A command to copy. */
export function Command({ text }: { text: string }) {
  const [said, setSaid] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setSaid('copied'),
      () => setSaid('mark it and copy it by hand'),
    );
  };
  return (
    <p class="command">
      <code>{printable(text)}</code>{' '}
      <button type="button" onClick={copy} aria-label={`Copy the command ${printable(text)}`}>
        Copy
      </button>{' '}
      <span role="status">{said}</span>
    </p>
  );
}
