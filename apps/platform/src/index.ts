export { PlatformModule } from './platform.module';
export { platformService } from './service';
