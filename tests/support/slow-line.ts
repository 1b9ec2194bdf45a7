/** One direction of one connection: bytes arrive in order, late if asked, and none ever follow bytes that were lost. */
import type { Socket } from 'node:net';

export interface Pace {
  delayMs: number;
  bytesPerSecond?: number;
}

export class Line {
  /** Bytes were dropped: what came after them would be nonsense to the other end, so it is dropped too. */
  isDeaf = false;
  /** When the last byte that is under way arrives; 0 when none is (milliseconds). */
  private busyUntil = 0;
  private underWay = 0;

  constructor(private readonly to: Socket) {}

  deafen(): void {
    this.isDeaf = true;
  }

  send(chunk: Buffer, { delayMs, bytesPerSecond = Number.POSITIVE_INFINITY }: Pace = { delayMs: 0 }): void {
    if (this.isDeaf) return;
    const now = performance.now();
    const arrives = Math.max(now + delayMs, this.busyUntil) + (chunk.length / bytesPerSecond) * 1000;
    this.at(arrives, () => {
      if (!this.to.destroyed) this.to.write(chunk);
    });
  }

  end(): void {
    if (this.isDeaf) return;
    this.at(this.busyUntil, () => this.to.end());
  }

  /** Nothing overtakes what is under way, whatever the pace has become meanwhile. */
  private at(time: number, deliver: () => void): void {
    const waitMs = time - performance.now();
    this.busyUntil = time;
    if (waitMs <= 0 && this.underWay === 0) return deliver();
    this.underWay += 1;
    setTimeout(() => {
      this.underWay -= 1;
      deliver();
    }, Math.max(0, waitMs));
  }
}
