/**
 * One direction of a connection. Bytes arrive in order, with an optional delay; after a discarded byte none arrives.
 */
import type { Socket } from 'node:net';

export interface Pace {
  delayMs: number;
  bytesPerSecond?: number;
}

const atOnce: Pace = { delayMs: 0 };

export class ThrottledPipe {
  /** Never becomes false again: bytes after a gap would be nonsense to the receiver. */
  private isDiscarding = false;
  private readonly inTransit: { due: number; deliver: () => void }[] = [];
  private lastDue = 0;

  constructor(private readonly to: Socket) {}

  /** Discards everything from now on, including the end of the connection. */
  discardRest(): void {
    this.isDiscarding = true;
  }

  send(chunk: Buffer, { delayMs, bytesPerSecond = Number.POSITIVE_INFINITY }: Pace = atOnce): void {
    const due = Math.max(performance.now() + delayMs, this.lastDue) + (chunk.length / bytesPerSecond) * 1000;
    this.schedule(due, () => this.to.write(chunk));
  }

  /** Ends this direction only; TCP keeps the other one open. */
  end(): void {
    this.schedule(this.lastDue, () => this.to.end());
  }

  hangUp(): void {
    this.schedule(this.lastDue, () => this.to.destroySoon());
  }

  /** Queues a delivery after all earlier ones, even if the pace has changed. */
  private schedule(due: number, deliver: () => void): void {
    if (this.isDiscarding) return;
    this.lastDue = due;
    this.inTransit.push({ due, deliver });
    if (this.inTransit.length === 1) this.proceed();
  }

  private proceed(): void {
    for (let next = this.inTransit[0]; next; next = this.inTransit[0]) {
      const waitMs = next.due - performance.now();
      if (waitMs > 0.5) {
        setTimeout(() => this.proceed(), waitMs);
        return;
      }
      this.inTransit.shift();
      if (!this.to.destroyed && !this.isDiscarding) next.deliver();
    }
  }
}
