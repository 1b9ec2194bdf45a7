/**
 * Bounds how many sign-ins a process works on, in all and per network, before anything costs a query or a hash. The
 * others learn at once to come back.
 */
export interface AdmissionLimits {
  inAll: number;
  perNetwork: number;
}

export class Admission {
  private readonly inside = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: AdmissionLimits) {}

  /** Runs the work, or returns 'busy' at once. */
  async run<T>(network: string, work: () => Promise<T>): Promise<T | 'busy'> {
    const sameNetwork = this.inside.get(network) ?? 0;
    if (this.total >= this.limits.inAll || sameNetwork >= this.limits.perNetwork) return 'busy';
    this.enter(network, 1);
    try {
      return await work();
    } finally {
      this.enter(network, -1);
    }
  }

  private enter(network: string, change: 1 | -1): void {
    this.total += change;
    const inside = (this.inside.get(network) ?? 0) + change;
    if (inside === 0) this.inside.delete(network);
    else this.inside.set(network, inside);
  }
}
