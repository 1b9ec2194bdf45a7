/** Looks at the password of somebody who is signed in. Whoever finds an open session guesses no more often than at a sign-in. */
import type { Session } from '#server/context.ts';
import type { RoutePorts } from '#server/ports.ts';
import { isOwnPassword } from './staff-service.ts';
import { accountBuckets, accountName, GuessThrottle } from './throttle.ts';

export class OwnPassword {
  private readonly throttle: GuessThrottle;

  constructor(private readonly ports: RoutePorts) {
    this.throttle = new GuessThrottle(ports, 'own password');
  }

  /** Returns whether the password is right, or 'throttled' if it was not looked at. */
  async attempt(session: Session, password: string): Promise<boolean | 'throttled'> {
    const { budgets } = this.ports;
    const answer = await this.throttle.attempt<true>(accountBuckets(accountName(session)), async () => {
      if (budgets.beforeSecret(session) > 0) return 'throttled';
      if (!(await isOwnPassword(this.ports, session, password))) return null;
      budgets.secretUsed(session);
      return true;
    });
    return answer ?? false;
  }
}
