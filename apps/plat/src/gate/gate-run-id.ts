import { type ApiClient, listGateRuns } from '@plat/api-client';
import { idOrPiece, wholeId } from '../platform/named-id';
import { nextStep } from '../terminal/next-step';
import { Args } from '../terminal/oclif';

const GATE_RUN = { what: 'The gate run', listing: nextStep('plat gate list') };
/** The largest page. A part of an id is looked for only among these newest gate runs. */
const NEWEST = '200';

/** A command's gate run: its id, or a part of it that `gateRunIdOf` completes. */
export const gateRunIdArgument = Args.string({
  description: 'Id of the gate run, or a part of it of six characters or more',
  required: true,
  ignoreStdin: true,
  parse: async (text) => idOrPiece(text, GATE_RUN),
});

/** The whole id of one of the newest gate runs. @throws Failure NO_SUCH_ID, AMBIGUOUS_ID */
export function gateRunIdOf(api: ApiClient, text: string): Promise<string> {
  return wholeId(text, {
    ...GATE_RUN,
    candidates: async () =>
      (await listGateRuns(api, { query: { limit: NEWEST } })).gateRuns.map((run) => ({
        id: run.gateRunId,
        label: `${run.verdict} ${run.sourceBranch} onto ${run.targetBranch}`,
      })),
  });
}
