import 'reflect-metadata';
import { runService } from '@plat/service';
import { platformService } from './service';

void runService(platformService);
