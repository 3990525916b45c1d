export { reviewsService } from './service';
export { ReviewsModule } from './reviews.module';
