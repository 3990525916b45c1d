import 'reflect-metadata';
import { runService } from '@plat/service';
import { buildsService } from './service';

void runService(buildsService);
