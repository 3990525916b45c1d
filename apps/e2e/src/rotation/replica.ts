import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceProcess, startService } from '@plat/testing';

/** A replica of the reviews service, with its log. */
export class Replica {
  private constructor(
    private readonly process: ServiceProcess,
    readonly lines: string[],
  ) {}

  static async start(environment: Record<string, string>): Promise<Replica> {
    const process = await startService('reviews', environment);
    const lines: string[] = [];
    process.child.stdout!.on('data', (chunk: Buffer) => lines.push(...chunk.toString().split('\n')));
    return new Replica(process, lines);
  }

  get url(): string {
    return this.process.url;
  }

  /** A figure without its labels but those given, such as `result="applied"`. */
  async figure(name: string, label = ''): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    const line = text.split('\n').find((each) => /^\w+/.exec(each)?.[0] === name && each.includes(label));
    if (line === undefined) throw new Error(`/metrics has no ${name} with ${label}.`);
    return Number(line.slice(line.lastIndexOf(' ')));
  }

  async awaitFigure(name: string, { label = '', value }: { label?: string; value: number }): Promise<void> {
    while ((await this.figure(name, label)) !== value) await delay(50);
  }

  async stop(): Promise<void> {
    this.process.child.kill('SIGTERM');
    await this.process.exited;
  }
}
