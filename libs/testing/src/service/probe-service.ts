import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { Field, rules } from '@plat/contracts/fields';
import {
  type Caller,
  CurrentCaller,
  PathId,
  RequestBody,
  RequestQuery,
  Route,
  ServiceConfig,
  type ServiceContext,
  type ServiceDefinition,
  ServiceModule,
} from '@plat/service';

/** A body with a field of each kind. */
class ProbeBody {
  @Field(rules.name, { description: 'required text' })
  name!: string;

  @Field(rules.boolean, { description: 'a flag', optional: true })
  successful?: boolean;

  @Field(rules.integer, { description: 'a number', optional: true })
  line?: number;

  @Field(rules.reason, { description: 'long text', optional: true })
  reason?: string;
}

/** A query with a parameter of each kind. */
class ProbeQuery {
  @Field(rules.filterText(16), { description: 'text', optional: true })
  sourceBranch?: string;

  @Field(rules.integerText, { description: 'a number', optional: true })
  limit?: string;
}

class ProbeAnswer {}

/** The work of a handler of the probe, which a spec provides. */
export type ProbedWork = (caller: Caller, context: ServiceContext) => Promise<object | void> | object | void;

/** A service for tests of the steps of a request: most of its handlers answer with the values that reach them. */
export function probeService(work: ProbedWork = () => undefined): ServiceDefinition<ServiceConfig> {
  return { name: 'platform', config: ServiceConfig, module: (context) => probeModule(context, work) };
}

function probeModule(context: ServiceContext, work: ProbedWork): DynamicModule {
  @Controller()
  class ProbeController {
    @Route('getPlatform', { response: ProbeAnswer })
    open(): object {
      return { reached: 'getPlatform' };
    }

    @Route('whoami', { response: ProbeAnswer })
    async whoami(@CurrentCaller() caller: Caller): Promise<object> {
      return (await work(caller, context)) ?? { tenantId: caller.tenantId, userId: caller.userId };
    }

    @Route('getReview', { response: ProbeAnswer })
    path(@PathId('review_id') reviewId: string): object {
      return { reviewId };
    }

    @Route('updateReviewStatus', { response: ProbeAnswer })
    pathAndBody(@PathId('review_id') reviewId: string, @RequestBody() body: ProbeBody): object {
      return { reviewId, body };
    }

    @Route('listReviews', { response: ProbeAnswer })
    query(@RequestQuery() query: ProbeQuery): object {
      return { query };
    }

    @Route('createReview', { response: ProbeAnswer })
    body(@RequestBody() body: ProbeBody): object {
      return { body, own: Object.keys(body) };
    }

    @Route('overrideAdvanceMergeQueue', { response: ProbeAnswer })
    audited(@RequestBody() body: ProbeBody): object {
      return { body };
    }
  }

  @Module({})
  class ProbeModule {}

  return { module: ProbeModule, imports: [ServiceModule.register(context)], controllers: [ProbeController] };
}
