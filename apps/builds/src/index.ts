export { buildsService } from './service';
export { BuildsModule } from './builds.module';
