import type { ServiceDefinition } from '@plat/service';
import { ReviewsConfig } from './config';
import { ReviewsModule } from './reviews.module';

/** Describes the reviews service, which runs in a process of its own or together with the others. */
export const reviewsService: ServiceDefinition<ReviewsConfig> = {
  name: 'reviews',
  config: ReviewsConfig,
  module: (context, config) => ReviewsModule.register(context, config),
};
