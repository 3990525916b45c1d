import 'reflect-metadata';
import { runService } from '@plat/service';
import { releasesService } from './service';

void runService(releasesService);
