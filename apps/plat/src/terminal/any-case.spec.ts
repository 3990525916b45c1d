import { inKnownCase } from './any-case';

const FLAGS = { status: { options: ['READY', 'MERGE'] }, flow: { options: ['device'] }, name: {} };

it.each([
  [
    ['--status', 'ready'],
    ['--status', 'READY'],
  ],
  [
    ['--status=Merge', '--name', 'ready'],
    ['--status=MERGE', '--name', 'ready'],
  ],
  [
    ['--flow', 'DEVICE', 'ready'],
    ['--flow', 'device', 'ready'],
  ],
  [
    ['--status', 'done'],
    ['--status', 'done'],
  ],
  [
    ['--', '--status', 'ready'],
    ['--', '--status', 'ready'],
  ],
  [['--status'], ['--status']],
  [['--name=a=b'], ['--name=a=b']],
  [
    ['--unknown=x', '--status'],
    ['--unknown=x', '--status'],
  ],
])('takes %j as %j', (given, read) => {
  expect(inKnownCase(given, FLAGS)).toEqual(read);
});
