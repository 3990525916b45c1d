import { Attendance } from './attendance';

describe('Attendance', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function attended() {
    const said: string[] = [];
    let give = () => undefined as void;
    const line = {
      leave: () => void said.push('leave'),
      regain: () => {
        said.push('regain');
        return new Promise<void>((resolve) => (give = resolve));
      },
    };
    return { attendance: new Attendance(line), said, give: () => give() };
  }

  const after = (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve('bytes'), ms));

  it('keeps the place while all waits together take less than three quarters of a second', async () => {
    const { attendance, said } = attended();
    for (let wait = 0; wait < 3; wait += 1) {
      const bytes = attendance.during(after(240));
      await jest.advanceTimersByTimeAsync(240);
      expect(await bytes).toBe('bytes');
    }
    expect(said).toEqual([]);
  });

  it('gives up the place after three quarters of a second of waiting, and goes on only with a new one', async () => {
    const { attendance, said, give } = attended();
    let isOver = false;
    void attendance.during(after(5_000)).then(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(749);
    expect(said).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(said).toEqual(['leave']);
    await jest.advanceTimersByTimeAsync(4_250);
    expect({ said, isOver }).toEqual({ said: ['leave', 'regain'], isOver: false });
    give();
    await jest.advanceTimersByTimeAsync(0);
    expect(isOver).toBe(true);
  });

  it('holds no place for a byte now and then once that time is used up', async () => {
    const { attendance, said, give } = attended();
    for (let drip = 0; drip < 4; drip += 1) {
      const bytes = attendance.during(after(600));
      await jest.advanceTimersByTimeAsync(600);
      give();
      await bytes;
    }
    expect(said).toEqual(['leave', 'regain', 'leave', 'regain', 'leave', 'regain']);
  });

  it('gives up the place during two waits at once', async () => {
    const { attendance, said, give } = attended();
    const [first, second] = [attendance.during(after(1_500)), attendance.during(after(4_000))];
    await jest.advanceTimersByTimeAsync(1_500);
    expect(said).toEqual(['leave', 'regain']);
    give();
    await first;
    await jest.advanceTimersByTimeAsync(2_500);
    give();
    await second;
    expect(said.slice(2)).toEqual(['leave', 'regain']);
  });

  it('reports nothing after the question is answered, even if a request is still under way', async () => {
    const { attendance, said } = attended();
    const [short, long] = [attendance.during(after(10)), attendance.during(after(9_000))];
    await jest.advanceTimersByTimeAsync(10);
    await short;
    attendance.end();
    await jest.advanceTimersByTimeAsync(9_000);
    expect(await long).toBe('bytes');
    expect(said).toEqual([]);
  });

  it('passes chunks on one by one, and closes the source when the reader stops', async () => {
    const { attendance } = attended();
    let isReturned = false;
    async function* numbers() {
      try {
        for (let number = 1; ; number += 1) yield number;
      } finally {
        isReturned = true;
      }
    }
    const seen: number[] = [];
    for await (const number of attendance.each(numbers())) {
      seen.push(number);
      if (number === 3) break;
    }
    expect({ seen, isReturned }).toEqual({ seen: [1, 2, 3], isReturned: true });
  });
});
