/**
 * The uploads that a process reads at once. A file is in memory until it is stored, so the others wait with their
 * content unread, a few of each clinic, and further ones are refused. A file may come for minutes. So the last places are for
 * clinics of which none is read, and nobody outside a few clinics that send slowly waits for them.
 */
import type { Asker } from '#server/http/askers.ts';

const readAtOnce = 4;
/** Beyond those, one of each clinic that has none. */
const readAtOnceOfOthers = 12;
const readAtOncePerClinic = 2;
const waitingPerClinic = 8;
const waitingAtMost = 64;

interface Waiting {
  clinicId: number;
  enter: () => void;
}

export class Admission {
  private readonly running: number[] = [];
  private readonly waiting: Waiting[] = [];

  /**
   * Resolves when the upload may be read; the returned function must be called when it is over.
   *
   * @returns null when too many wait, or when the asker is gone
   */
  async enter(clinicId: number, asker?: Asker): Promise<(() => void) | null> {
    if (asker?.isGone()) return null;
    if (this.hasRoom(clinicId)) this.running.push(clinicId);
    else if (this.waiting.length >= waitingAtMost || count(this.waiting, clinicId) >= waitingPerClinic) return null;
    else if (!(await this.turn(clinicId, asker))) return null;
    return () => this.leave(clinicId);
  }

  /** @returns false when the asker goes before */
  private turn(clinicId: number, asker: Asker | undefined): Promise<boolean> {
    return new Promise((answer) => {
      const one: Waiting = {
        clinicId,
        enter: () => {
          stay?.();
          answer(true);
        },
      };
      this.waiting.push(one);
      const stay = asker?.onGone(() => {
        this.waiting.splice(this.waiting.indexOf(one), 1);
        answer(false);
      });
    });
  }

  private hasRoom(clinicId: number): boolean {
    const own = this.running.filter((id) => id === clinicId).length;
    if (own === 0) return this.running.length < readAtOnce + readAtOnceOfOthers;
    return this.running.length < readAtOnce && own < readAtOncePerClinic;
  }

  /** Lets the first in whose clinic has room, so that one clinic's queue does not block another's. */
  private leave(clinicId: number): void {
    this.running.splice(this.running.indexOf(clinicId), 1);
    const next = this.waiting.findIndex((waiting) => this.hasRoom(waiting.clinicId));
    if (next === -1) return;
    const [first] = this.waiting.splice(next, 1);
    this.running.push(first!.clinicId);
    first!.enter();
  }
}

const count = (waiting: readonly Waiting[], clinicId: number): number =>
  waiting.filter((one) => one.clinicId === clinicId).length;
