import { type FiveProcesses, startFiveProcesses } from './five-processes';
import { describeMergeFlow } from './merge-flow.conformance';

let services: FiveProcesses;
// Five programs are built first.
beforeAll(async () => (services = await startFiveProcesses()), 300_000);
afterAll(() => services?.stop());

describeMergeFlow('the five services as processes, each at its own address', () => services);
