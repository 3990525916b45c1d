import { Machine } from '../black-box/plat-process';

const env = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' };
const CLAIM = ['--exclusive', '--scope', 'environment'];

describe('the claim of an environment', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const plat = (...args: string[]) => machine.plat([...args, '--json'], { env });
    return { machine, plat, lease: (...args: string[]) => plat('activity', 'lease', ...args) };
  }

  it('is taken by exactly one of many simultaneous attempts', async () => {
    const { lease } = await setUp();
    const runs = await Promise.all(Array.from({ length: 6 }, () => lease('take', ...CLAIM)));
    expect(runs.filter(({ code }) => code === 0)).toHaveLength(1);
  });
});
