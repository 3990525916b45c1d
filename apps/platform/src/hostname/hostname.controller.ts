import { Controller } from '@nestjs/common';
import { Hostname, PutHostname } from '@plat/contracts/platform';
import { type Caller, CurrentCaller, PathId, RequestBody, Route } from '@plat/service';
import { HostnameService } from './hostname.service';

@Controller()
export class HostnameController {
  constructor(private readonly hostnames: HostnameService) {}

  @Route('putHostname', { response: Hostname })
  put(
    @CurrentCaller() caller: Caller,
    @PathId('environment_id') environmentId: string,
    @RequestBody() { targetIp }: PutHostname,
  ): Promise<Hostname> {
    return this.hostnames.put(caller, environmentId, targetIp);
  }

  @Route('deleteHostname', {})
  remove(@CurrentCaller() caller: Caller, @PathId('environment_id') environmentId: string): Promise<void> {
    return this.hostnames.remove(caller, environmentId);
  }
}
