/**
 * The uploads that a process reads at once. A file is in memory until it is stored, so the others wait with their
 * content unread, a few of each clinic, and further ones are refused.
 */

const readAtOnce = 4;
const readAtOncePerClinic = 2;
const waitingPerClinic = 8;
const waitingAtMost = 32;

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
   * @returns null when too many wait
   */
  async enter(clinicId: number): Promise<(() => void) | null> {
    if (!this.hasRoom(clinicId)) {
      if (this.waiting.length >= waitingAtMost || count(this.waiting, clinicId) >= waitingPerClinic) return null;
      await new Promise<void>((enter) => this.waiting.push({ clinicId, enter }));
    } else this.running.push(clinicId);
    return () => this.leave(clinicId);
  }

  private hasRoom(clinicId: number): boolean {
    const own = this.running.filter((id) => id === clinicId).length;
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
