import type { ConsoleVisit } from './console-visit';

/** Refuses what the console must never do: a policy's report, an error, a request to elsewhere, a trace in storage. */
export async function expectClean(visit: ConsoleVisit): Promise<void> {
  expect(visit.faults).toEqual([]);
  expect(visit.requests.filter((url) => url.origin !== visit.origin).map(({ href }) => href)).toEqual([]);
  const kept = await visit.page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookie: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
  }));
  expect(kept).toEqual({ local: {}, session: {}, cookie: '', databases: [], caches: [] });
}

/** axe finds nothing, in light and dark, on a wide window and on a narrow one, which needs no sideways scrolling. */
export async function expectUsable(visit: ConsoleVisit): Promise<void> {
  await expectClean(visit);
  for (const colorScheme of ['light', 'dark'] as const) {
    await visit.page.emulateMedia({ colorScheme });
    for (const width of [1000, 320]) {
      await visit.page.setViewportSize({ width, height: 800 });
      expect(await visit.overflow()).toBe(0);
      expect(await visit.axeFindings()).toEqual([]);
    }
  }
}
