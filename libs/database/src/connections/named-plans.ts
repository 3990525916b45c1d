import { DatabaseError } from 'pg';

/** SQLSTATE and routine of the server's refusal of a plan whose statement answers other columns since it was made. */
const FEATURE_NOT_SUPPORTED = '0A000';
const PLAN_CHECK = 'RevalidateCachedQuery';

/**
 * The names under which one connection keeps its plans. A migration that adds a column to a table changes what a function
 * over that table answers, and the server then refuses the old plan for as long as the connection lives. All names change
 * after such a refusal, so that each statement is planned again when it is next sent.
 */
export class NamedPlans {
  private round = 0;

  /**
   * Sends a statement under its present name, and once more if the server refuses its plan: nothing was done then.
   *
   * @param query as the driver takes it; only one with a name has a plan that is kept
   */
  send<T>(query: unknown, sendNamed: (query: unknown) => T): T {
    if (!hasName(query)) return sendNamed(query);
    const { round } = this;
    const answer = sendNamed(this.named(query));
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      if (!isRefusalOfPlan(error)) throw error;
      // Another statement of the same round may have met a refusal before.
      if (this.round === round) this.round++;
      return sendNamed(this.named(query));
    }) as T;
  }

  private named<Q extends { name: string }>(query: Q): Q {
    return this.round === 0 ? query : { ...query, name: `${query.name}#${this.round}` };
  }
}

const hasName = (query: unknown): query is { name: string } =>
  typeof query === 'object' && query !== null && typeof (query as { name?: unknown }).name === 'string';

const isRefusalOfPlan = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === FEATURE_NOT_SUPPORTED && error.routine === PLAN_CHECK;
