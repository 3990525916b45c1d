/* eslint-disable @nx/enforce-module-boundaries -- docs/ is no project, and the documents are to be in the bundle */
import type { ServiceName } from '@plat/contracts/core';
import audit from '../../../../docs/openapi/audit.json';
import builds from '../../../../docs/openapi/builds.json';
import platform from '../../../../docs/openapi/platform.json';
import releases from '../../../../docs/openapi/releases.json';
import reviews from '../../../../docs/openapi/reviews.json';

/** The services' OpenAPI documents as `npm run generate` wrote them. */
export const documents: Readonly<Record<ServiceName, object>> = {
  reviews,
  builds,
  releases,
  audit,
  platform,
};
