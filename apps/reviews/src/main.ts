import 'reflect-metadata';
import { runService } from '@plat/service';
import { reviewsService } from './service';

void runService(reviewsService);
