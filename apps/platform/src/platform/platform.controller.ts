import { Controller } from '@nestjs/common';
import { Platform } from '@plat/contracts/platform';
import { Route } from '@plat/service';
import { PlatformConfig } from '../config';
import { toPlatform } from './platform.response';

@Controller()
export class PlatformController {
  constructor(private readonly config: PlatformConfig) {}

  @Route('getPlatform', { response: Platform })
  get(): Platform {
    return toPlatform(this.config);
  }
}
