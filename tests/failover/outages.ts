/** Measures how long nothing can be sold at a server process: a tablet of its own sells there all the time, and waits a second at most. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpTablet } from './http-tablet.ts';

const replyTimeoutMs = 1000;
const pauseMs = 50;
/** A shorter pause between two acknowledged sales is no outage. */
const outageMs = 1000;

interface Probe {
  way: string;
  tablet: HttpTablet;
}

export class Outages {
  private readonly measured: { key: string; ms: number }[] = [];

  private constructor(private readonly probes: readonly Probe[]) {}

  /** @param processes a server process for each way to the database */
  static async watch(processes: readonly { way: string; url: string }[]): Promise<Outages> {
    const probes: Probe[] = [];
    for (const { way, url } of processes) probes.push({ way, tablet: await HttpTablet.enrol([url], replyTimeoutMs) });
    return new Outages(probes);
  }

  get tablets(): HttpTablet[] {
    return this.probes.map(({ tablet }) => tablet);
  }

  async probeUntil(progress: { isOver: boolean }): Promise<void> {
    await Promise.all(
      this.tablets.map(async (tablet) => {
        while (!progress.isOver) {
          await tablet.probe();
          await sleep(pauseMs);
        }
      }),
    );
  }

  /** Waits until every process has acknowledged a sale after the fault. */
  async recovered(faultMs: number, withinMs: number): Promise<void> {
    // A sale that was committed just before the fault may be acknowledged just after it.
    const sinceMs = faultMs + 2 * replyTimeoutMs;
    while (!this.probes.every(({ tablet }) => tablet.acknowledgedAtMs.some((ms) => ms > sinceMs))) {
      assert.ok(Date.now() < faultMs + withinMs, `A process did not recover within ${withinMs} ms`);
      await sleep(50);
    }
  }

  /** Returns the seconds without an acknowledged sale since shortly before a fault, for each way. */
  ofRound(fault: string, faultMs: number): string {
    const parts = this.probes.map(({ way, tablet }) => {
      const times = tablet.acknowledgedAtMs;
      const pauses = times.slice(1).flatMap((ms, index) => (ms > faultMs ? ms - Math.max(times[index]!, faultMs) : []));
      const ms = pauses.filter((pause) => pause > outageMs).reduce((sum, pause) => sum + pause, 0);
      this.measured.push({ key: `${fault}, ${way}`, ms });
      return `${seconds(ms)} s without service ${way}`;
    });
    return parts.join(', ');
  }

  /** Returns a line for each fault and way, with the median and the worst round. */
  summary(): string[] {
    return [...new Set(this.measured.map(({ key }) => key))].map((key) => {
      const all = this.measured.filter((one) => one.key === key).map(({ ms }) => ms);
      const sorted = all.toSorted((a, b) => a - b);
      const median = sorted[Math.floor((sorted.length - 1) / 2)]!;
      return `${key}: 0 lost, 0 doubled in ${all.length} rounds; without service: median ${seconds(median)} s, worst ${seconds(sorted.at(-1)!)} s`;
    });
  }
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
