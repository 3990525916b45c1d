import 'reflect-metadata';
import { runService } from '@plat/service';
import { auditService } from './service';

void runService(auditService);
