export { BuildsModule } from './builds.module';
export { buildsService } from './service';
