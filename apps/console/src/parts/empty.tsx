import type { ComponentChildren } from 'preact';
import { Command } from './command';

/** Shows that a list is empty now, because of a filter or because everything is done. */
export function NothingThere({ children }: { children: ComponentChildren }) {
  return (
    <p class="empty" data-empty="nothing">
      {children}
    </p>
  );
}

/** Shows the commands that make the first entry of a list that was always empty. */
export function NeverUsed({
  children,
  commands,
}: {
  children: ComponentChildren;
  commands: readonly string[];
}) {
  return (
    <div class="empty" data-empty="never">
      <p>{children}</p>
      {commands.map((text) => (
        <Command key={text} text={text} />
      ))}
    </div>
  );
}

/** The caller's roles do not permit the route. */
export function NotPermitted({ route }: { route?: string | undefined }) {
  return (
    <div class="empty" data-empty="forbidden">
      <p>
        You may not see this: no role of yours permits <code>{route ?? 'the route'}</code>.
      </p>
      <p>Someone who may grant roles can give you one that does:</p>
      <Command text="plat admin user roles --help" />
    </div>
  );
}
