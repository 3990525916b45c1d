import { auditService } from '@plat/audit';
import { buildsService } from '@plat/builds';
import { platformService } from '@plat/platform';
import { releasesService } from '@plat/releases';
import { reviewsService } from '@plat/reviews';

/** The services that standalone runs behind one address. */
export const ALL_SERVICES = [reviewsService, buildsService, releasesService, auditService, platformService];
