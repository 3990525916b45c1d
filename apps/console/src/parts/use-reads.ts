import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app-context';
import type { ApiReader } from '../reads/api-reader';
import { browserSurroundings } from '../reads/browser-surroundings';
import { LiveReads, type LiveSource, type Reads } from '../reads/live-reads';

export interface ReadsInUse<Content> extends Reads<Content> {
  /** Reads again at once. */
  again(): void;
}

/** Reads for as long as the part is shown. The part is to have a `key` of what it is about. */
export function useReads<Content>(source: (reader: ApiReader) => LiveSource<Content>): ReadsInUse<Content> {
  const { reader } = useApp();
  const [reads, setReads] = useState<Reads<Content>>({});
  const live = useRef<LiveReads<Content>>(undefined);
  useEffect(() => {
    const loop = new LiveReads(source(reader), browserSurroundings, setReads);
    live.current = loop;
    void loop.run();
    return () => loop.stop();
  }, [reader]);
  return { ...reads, again: () => live.current?.again() };
}
