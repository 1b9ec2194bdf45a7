/** One direction of one connection: bytes arrive in order, late if asked, and none ever follow bytes that were lost. */
import type { Socket } from 'node:net';

export interface Pace {
  delayMs: number;
  bytesPerSecond?: number;
}

const atOnce: Pace = { delayMs: 0 };

export class Line {
  /** What came after lost bytes would be nonsense to the other end, so it is lost too. */
  private isDeaf = false;
  private readonly underWay: { due: number; deliver: () => void }[] = [];
  private lastDue = 0;

  constructor(private readonly to: Socket) {}

  /** Loses everything from here on, and the end of the connection with it. */
  deafen(): void {
    this.isDeaf = true;
  }

  send(chunk: Buffer, { delayMs, bytesPerSecond = Number.POSITIVE_INFINITY }: Pace = atOnce): void {
    const due = Math.max(performance.now() + delayMs, this.lastDue) + (chunk.length / bytesPerSecond) * 1000;
    this.schedule(due, () => this.to.write(chunk));
  }

  /** The other direction stays open, as TCP allows. */
  end(): void {
    this.schedule(this.lastDue, () => this.to.end());
  }

  hangUp(): void {
    this.schedule(this.lastDue, () => this.to.destroySoon());
  }

  /** Nothing overtakes what is under way, whatever the pace has become meanwhile. */
  private schedule(due: number, deliver: () => void): void {
    if (this.isDeaf) return;
    this.lastDue = due;
    this.underWay.push({ due, deliver });
    if (this.underWay.length === 1) this.proceed();
  }

  private proceed(): void {
    for (let next = this.underWay[0]; next; next = this.underWay[0]) {
      const waitMs = next.due - performance.now();
      if (waitMs > 0.5) {
        setTimeout(() => this.proceed(), waitMs);
        return;
      }
      this.underWay.shift();
      if (!this.to.destroyed && !this.isDeaf) next.deliver();
    }
  }
}
