/** Tries a password on the accounts that it may belong to, each of which counts its own wrong ones. */
import { withinClinic } from '#server/db/database.ts';
import type { Ports, RoutePorts } from '#server/ports.ts';
import { accountsFor, signIn, signInNobody } from './service.ts';
import type { SignedIn } from './service.ts';
import { hasSignedInOn } from './sessions-store.ts';
import type { UserRow } from './store.ts';
import { accountBuckets, accountName, addressBuckets, deviceBuckets, GuessThrottle } from './throttle.ts';
import type { GuessBuckets, KnownDevice } from './throttle.ts';

interface Credentials {
  email: string;
  password: string;
}

export type Trial = SignedIn | null | 'throttled';

const nameOf = (account: UserRow | null, email: string): string =>
  accountName(account ? { clinicId: account.clinicId, userId: account.id } : { email });

export class SignInTrials {
  private readonly throttle: GuessThrottle;

  constructor(private readonly ports: Ports & Pick<RoutePorts, 'budgets'>) {
    this.throttle = new GuessThrottle(ports, 'sign-in');
  }

  /**
   * Tries the accounts of an e-mail in all clinics, one after the other. Those whose count makes them wait are left out, and a
   * right password forgives the others nothing: they have been tried with it.
   */
  async asStranger({ email, password }: Credentials, ip: string): Promise<Trial> {
    const answers: Trial[] = [];
    const answer = await this.throttle.attempt(addressBuckets(ip), async () => {
      const accounts = await accountsFor(this.ports, { email });
      for (const account of accounts.length > 0 ? accounts : [null]) {
        const one = await this.tryOne(accountBuckets(nameOf(account, email)), account, { password });
        if (one !== null && one !== 'throttled') return one;
        answers.push(one);
      }
      return answers.includes(null) ? null : 'throttled';
    });
    // The password may be that of an account which was left out.
    return answer === null && answers.includes('throttled') ? 'throttled' : answer;
  }

  /** Tries the account of the device's clinic. A device knows no other clinic. */
  async onDevice({ email, password }: Credentials, device: KnownDevice): Promise<Trial> {
    const { clinicId, deviceId } = device;
    const [account = null] = await accountsFor(this.ports, { email, device });
    const isAtHome =
      account !== null &&
      (await hasSignedInOn(withinClinic(this.ports.database, clinicId), {
        clinicId,
        deviceId,
        userId: account.id,
        nowMs: this.ports.clock(),
      }));
    return this.tryOne(deviceBuckets(nameOf(account, email), device, { isAtHome }), account, { password, device });
  }

  private tryOne(
    buckets: GuessBuckets,
    account: UserRow | null,
    attempt: { password: string; device?: KnownDevice },
  ): Promise<Trial> {
    const { budgets } = this.ports;
    return this.throttle.attempt<SignedIn | 'throttled'>(buckets, async () => {
      if (account === null) return signInNobody(this.ports, attempt);
      const who = { clinicId: account.clinicId, userId: account.id };
      if (budgets.beforeSecret(who) > 0) return 'throttled';
      const answer = await signIn(this.ports, account, attempt);
      if (answer) budgets.secretUsed(who);
      return answer;
    });
  }
}
