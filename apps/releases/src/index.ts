export { ReleasesModule } from './releases.module';
export { releasesService } from './service';
