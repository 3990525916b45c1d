import type { BuildPlan } from './build-plan';
import { scriptCommand } from './build-script';
import type { Builder, BuilderCommand, ImageOrder } from './builder';
import { TEST_STAGE } from './dockerfile-stages';
import { publishCommands } from './publish';
import { plannedCommand } from './run-builder';

const ID_FILE = '<id_file>';
const IMAGE_ID = '<image_id>';

/** The commands of a build, as `--dry-run` prints them. Rule G2. */
export async function describePlan(plan: BuildPlan, choose: () => Promise<Builder>): Promise<string[]> {
  const { recipe } = plan;
  if (recipe.kind === 'script') return [plannedCommand(scriptCommand(plan, recipe))];
  const builder = await choose();
  const made = plan.images.flatMap(({ recipe: { dockerfile, hasTestStage }, tags }) =>
    tags.flatMap(({ platform }) => {
      const order = { context: plan.project.folder, dockerfile, platform, idFile: ID_FILE };
      const test = plan.gate && hasTestStage ? testCommands(builder, order) : [];
      return [...test, builder.build(order)];
    }),
  );
  const references = plan.images.flatMap(({ tags }) => tags.flatMap((one) => one.references));
  const tagged = references.map((reference) => builder.tag(IMAGE_ID, reference));
  return [...made, ...tagged, ...publishCommands(builder, plan.publication)].map(plannedCommand);
}

function testCommands(builder: Builder, order: ImageOrder): BuilderCommand[] {
  const forget = builder.forgetTest?.('<test_image_id>');
  return [builder.test({ ...order, target: TEST_STAGE }), ...(forget ? [forget] : [])];
}
