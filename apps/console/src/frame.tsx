import type { ComponentChildren } from 'preact';
import type { Place, PlaceName } from '@plat/console/places';
import { useApp } from './app-context';
import { Link } from './parts/link';
import { Name } from './parts/text';

const PAGES: readonly [PlaceName, string, readonly PlaceName[]][] = [
  ['yours', 'Yours', ['yours']],
  ['queues', 'Queues', ['queues', 'queue', 'statistics']],
  ['releases', 'Releases', ['releases']],
  ['gate-runs', 'Gate runs', ['gate-runs']],
  ['audit', 'Audit', ['audit']],
];

interface FrameProps {
  place: Place | undefined;
  brand: string;
  /** Signs out. */
  onLeave(): void;
  /** Above the page, such as the end of the sign-in. */
  notice?: ComponentChildren;
  children: ComponentChildren;
}

/** Shows the surroundings of every page: the links to the others, and who has signed in. */
export function Frame({ place, brand, onLeave, notice, children }: FrameProps) {
  const { me } = useApp();
  return (
    <>
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <header>
        <strong>
          <Name text={brand || 'plat'} />
        </strong>
        <nav aria-label="Pages">
          {PAGES.map(([name, title, places]) => (
            <Link
              key={name}
              to={{ name, query: {} }}
              current={place !== undefined && places.includes(place.name)}
            >
              {title}
            </Link>
          ))}
        </nav>
        <p class="who">
          {me !== undefined && (
            <span title={me.roles.join(', ')}>
              <Name text={me.username} />
            </span>
          )}{' '}
          <button type="button" onClick={onLeave}>
            Sign out
          </button>
        </p>
      </header>
      {notice}
      <main id="page" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
