/** The kinds of trouble, by what helps. */
export type TroubleKind = 'image' | 'missing' | 'crash' | 'other';

/** Something that keeps a pod from running. */
export interface PodTrouble {
  kind: TroubleKind;
  /** The cluster's word for it, such as ImagePullBackOff. */
  reason: string;
  message: string;
  /** Whether the cluster may end it by itself, such as a lack of room. */
  mends: boolean;
}

/** `ImagePullBackOff: Back-off pulling image "…"` */
export function troubleText({ reason, message }: PodTrouble): string {
  return [reason, message].filter(Boolean).join(': ');
}

/** A trouble lasts for this long before the wait ends: another command, or the pod's next start, may still mend it. */
const PATIENCE_SECONDS = 30;

/** Keeps which troubles were seen during one wait, and since when. */
export class TroubleWatch {
  private readonly seen = new Map<string, PodTrouble>();
  /** Milliseconds of the first sight, by kind: the cluster's words for one kind alternate. */
  private readonly since = new Map<TroubleKind, number>();
  private last: readonly PodTrouble[] = [];

  /** @param report gets each new trouble once */
  constructor(private readonly report: (trouble: PodTrouble) => void) {}

  /**
   * Takes what one look has found.
   *
   * @param now in milliseconds
   * @returns whether one of them has lasted too long for a wait
   */
  take(troubles: readonly PodTrouble[], now: number): boolean {
    if (troubles.length > 0) this.last = troubles;
    for (const trouble of troubles) {
      // The seconds of a pause and the number of nodes change from look to look.
      const text = troubleText(trouble).replaceAll(/\d+/g, '0');
      if (!this.seen.has(text)) {
        this.seen.set(text, trouble);
        this.report(trouble);
      }
      if (!trouble.mends && !this.since.has(trouble.kind)) this.since.set(trouble.kind, now);
    }
    return troubles.some(({ kind, mends }) => {
      const lasts = now - (this.since.get(kind) ?? now);
      return !mends && lasts >= PATIENCE_SECONDS * 1000;
    });
  }

  /** All troubles of the kinds that were found last. The words of an earlier look may be the plainer ones. */
  latest(): PodTrouble[] {
    return [...this.seen.values()].filter(({ kind, mends }) =>
      this.last.some((trouble) => trouble.kind === kind && trouble.mends === mends),
    );
  }
}
