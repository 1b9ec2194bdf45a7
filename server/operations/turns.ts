/**
 * Shares the database's connections among clinics, and among batches and pulls: a few of one clinic run at once, and its
 * others wait for them in order. So a clinic that floods the server makes nobody wait but itself.
 */
export class ClinicTurns {
  private readonly clinics = new Map<number, { running: number; waiting: (() => void)[] }>();

  /** @param limits how much of one clinic runs at the same time, and how much waits */
  constructor(private readonly limits: { atOnce: number; waiting: number }) {}

  /** Runs the work in its turn; returns null, without running it, when too much of the clinic waits already. */
  async run<T>(clinicId: number, work: () => Promise<T>): Promise<T | null> {
    const clinic = this.clinics.get(clinicId) ?? { running: 0, waiting: [] };
    if (clinic.waiting.length >= this.limits.waiting) return null;
    this.clinics.set(clinicId, clinic);
    if (clinic.running < this.limits.atOnce) clinic.running += 1;
    // Whoever ends passes its turn on, so the number of running ones stays.
    else await new Promise<void>((resolve) => clinic.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = clinic.waiting.shift();
      if (next) next();
      else clinic.running -= 1;
      if (clinic.running === 0) this.clinics.delete(clinicId);
    }
  }
}
