import { runTier } from './run-tier.mjs';
import { tiers } from './tiers.mjs';

/** The tests of minutes: long journeys, generated rounds, races. CI runs them as well. */
export const main = (args) => runTier(tiers.long, args);
