import { runTier } from './run-tier.mjs';
import { tiers } from './tiers.mjs';

/** The tests of each change: every rule, every unit, the main journeys once. */
export const main = (args) => runTier(tiers.usual, args);
