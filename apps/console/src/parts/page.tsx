import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { printable } from './printable';

interface PageProps {
  title: string;
  children: ComponentChildren;
}

/** Whether a page was shown before: the first one leaves the focus where the browser put it. */
let movedOn = false;

/** A page with its heading, to which the focus goes when one comes here from another page, so that readers announce it. */
export function Page({ title, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = printable(title);
  useEffect(() => {
    document.title = `${shown} · plat console`;
  }, [shown]);
  useEffect(() => {
    if (movedOn) heading.current?.focus({ preventScroll: true });
    movedOn = true;
  }, []);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        <bdi class="name">{shown}</bdi>
      </h1>
      {children}
    </>
  );
}

interface SectionProps {
  title: string;
  children: ComponentChildren;
}

export function Section({ title, children }: SectionProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
