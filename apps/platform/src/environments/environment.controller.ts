import { Controller } from '@nestjs/common';
import { CreateEnvironment, Environment } from '@plat/contracts/platform';
import { type Caller, CurrentCaller, type ListAnswer, PathId, RequestBody, Route } from '@plat/service';
import { EnvironmentService } from './environment.service';

@Controller()
export class EnvironmentController {
  constructor(private readonly environments: EnvironmentService) {}

  @Route('listEnvironments', { response: Environment, list: true })
  list(@CurrentCaller() caller: Caller): Promise<ListAnswer<Environment>> {
    return this.environments.list(caller);
  }

  @Route('createEnvironment', { response: Environment })
  create(@CurrentCaller() caller: Caller, @RequestBody() body: CreateEnvironment): Promise<Environment> {
    return this.environments.create(caller, body);
  }

  @Route('getEnvironment', { response: Environment })
  get(
    @CurrentCaller() caller: Caller,
    @PathId('environment_id') environmentId: string,
  ): Promise<Environment> {
    return this.environments.get(caller, environmentId);
  }

  @Route('deleteEnvironment', { response: Environment })
  delete(
    @CurrentCaller() caller: Caller,
    @PathId('environment_id') environmentId: string,
  ): Promise<Environment> {
    return this.environments.delete(caller, environmentId);
  }
}
