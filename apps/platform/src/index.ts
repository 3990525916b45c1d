export { platformService } from './service';
export { PlatformModule } from './platform.module';
