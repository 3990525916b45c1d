export { releasesService } from './service';
export { ReleasesModule } from './releases.module';
