export { ReviewsModule } from './reviews.module';
export { reviewsService } from './service';
