import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IsString } from 'class-validator';
import { Registry } from 'prom-client';
import { createLog } from '../log/log';
import { readConfig, ServiceConfig } from './config';
import { FromFile, ReadAtStart } from './config-files';
import { followConfigFiles } from './config-reload';

const urlWith = (password: string) => `postgres://plat_reviews:${password}@db.example:5432/plat`;

class StartedConfig extends ServiceConfig {
  @IsString()
  @FromFile()
  @ReadAtStart()
  KEPT!: string;
}

/** Waits for the next of a series of events. */
function eventSeries<T>() {
  const [ready, waiting]: [T[], ((event: T) => void)[]] = [[], []];
  return {
    push(event: T) {
      const waits = waiting.shift();
      if (waits) waits(event);
      else ready.push(event);
    },
    next: () =>
      ready.length > 0
        ? Promise.resolve(ready.shift() as T)
        : new Promise<T>((resolve) => void waiting.push(resolve)),
  };
}

describe('the files of a configuration, while the process runs', () => {
  let folder: string;
  let path: string;
  let stop: () => void;
  let lines: ReturnType<typeof eventSeries<{ msg: string; variables?: string[]; faults?: string[] }>>;
  let written: string;
  let config: StartedConfig;
  let kept: string;
  let metrics: Registry;
  const changes = jest.fn();

  /** As Kubernetes writes a secret: a link to a link's folder, which is swapped as a whole. */
  function mount(version: string, content: string): void {
    mkdirSync(join(folder, version));
    writeFileSync(join(folder, version, 'DATABASE_URL'), content);
    symlinkSync(version, join(folder, '..data_tmp'));
    renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  }

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plat-reload-'));
    path = join(folder, 'DATABASE_URL');
    mount('..1', urlWith('one'));
    symlinkSync(join('..data', 'DATABASE_URL'), path);
    kept = join(folder, 'KEPT');
    writeFileSync(kept, 'one');
    const environment = { DATABASE_URL_FILE: path, KEPT_FILE: kept };
    config = readConfig(StartedConfig, environment);
    metrics = new Registry();
    lines = eventSeries();
    written = '';
    changes.mockClear();
    const log = createLog('spec', 'info', {
      write(line) {
        written += line;
        lines.push(JSON.parse(line));
      },
    });
    stop = followConfigFiles(config, {
      shape: StartedConfig,
      environment,
      log,
      metrics,
      changed: changes,
      intervalMs: 5,
    });
  });
  afterEach(() => {
    stop();
    rmSync(folder, { recursive: true });
  });

  const reloads = async (result: string) => {
    const text = await metrics.metrics();
    return Number(new RegExp(`plat_configuration_reloads_total{result="${result}"} (\\d+)`).exec(text)?.[1]);
  };

  it('a mounted secret that is swapped takes effect, and the log names the variable alone', async () => {
    mount('..2', urlWith('two'));
    expect(await lines.next()).toMatchObject({ variables: ['DATABASE_URL'] });
    expect(config.DATABASE_URL.reveal()).toBe(urlWith('two'));
    expect(changes).toHaveBeenCalledTimes(1);
    expect([await reloads('applied'), await reloads('refused')]).toEqual([1, 0]);
    expect(written).not.toMatch(/one|two/);
  });

  it('a file with a fault leaves the value before in force, and is reported once', async () => {
    mount('..2', 'no address: hunter2');
    expect(await lines.next()).toMatchObject({
      faults: ['DATABASE_URL must be postgres://login:password@host:port/database'],
    });
    expect(config.DATABASE_URL.reveal()).toBe(urlWith('one'));
    mount('..3', urlWith('three'));
    expect(await lines.next()).toMatchObject({ variables: ['DATABASE_URL'] });
    expect([await reloads('applied'), await reloads('refused')]).toEqual([1, 1]);
    expect(written).not.toContain('hunter2');
  });

  it.each(['plat_owner', 'plat_builds'])(
    'the login %s leaves the value before in force, since rights are examined at the start',
    async (login) => {
      mount('..2', urlWith('hunter2').replace('plat_reviews', login));
      expect(await lines.next()).toMatchObject({
        faults: [`DATABASE_URL has the login ${login}, and this process has started as plat_reviews`],
      });
      expect(config.DATABASE_URL.reveal()).toBe(urlWith('one'));
      expect([await reloads('applied'), await reloads('refused')]).toEqual([0, 1]);
      expect(changes).not.toHaveBeenCalled();
      expect(written).not.toContain('hunter2');
    },
  );

  it('a file that is read at the start alone is kept, and the log says that a start takes it over', async () => {
    writeFileSync(kept, 'two');
    expect(await lines.next()).toMatchObject({
      msg: 'replaced files are taken over at the next start',
      variables: ['KEPT'],
    });
    expect(config.KEPT).toBe('one');
    expect([await reloads('applied'), await reloads('refused')]).toEqual([0, 0]);
    expect(changes).not.toHaveBeenCalled();
  });

  it('a file that is removed leaves the value before in force', async () => {
    rmSync(path);
    expect(await lines.next()).toMatchObject({
      faults: [`DATABASE_URL_FILE: ${path} is not there`],
    });
    expect(config.DATABASE_URL.reveal()).toBe(urlWith('one'));
    expect(changes).not.toHaveBeenCalled();
  });
});
