import { Controller, Get, Headers, NotFoundException, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PlatformConfig } from '../config';
import { FRONT_PAGE_HEADERS, frontPage } from './front-page';
import { toPlatform } from './platform.response';

/** The root, which is no part of the API: browsers get a page, programs the answer of an unknown route. */
@Controller()
export class FrontPageController {
  constructor(private readonly config: PlatformConfig) {}

  @Get()
  show(
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string {
    if (!accept?.includes('text/html')) throw new NotFoundException();
    void reply.headers(FRONT_PAGE_HEADERS);
    return frontPage(toPlatform(this.config));
  }
}
