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

/** An account that a password was wrong for. */
interface Wrong {
  account: UserRow;
  takeBack: () => Promise<void>;
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
   * right password forgives the others nothing: they have been tried with it. Only the same password of the same person shows
   * nothing new of the others when it comes again, so who signs in every day makes no namesake wait.
   */
  async asStranger({ email, password }: Credentials, ip: string): Promise<Trial> {
    const answers: Trial[] = [];
    let hasShownMore = false;
    const answer = await this.throttle.attempt(addressBuckets(ip), async () => {
      const accounts = await accountsFor(this.ports, { email });
      const wrong: Wrong[] = [];
      for (const account of accounts.length > 0 ? accounts : [null]) {
        const note = (takeBack: Wrong['takeBack']) => account && wrong.push({ account, takeBack });
        const one = await this.tryOne(accountBuckets(nameOf(account, email)), account, { password }, note);
        if (account && one !== null && one !== 'throttled') {
          hasShownMore = await this.hasShownMore(account, wrong);
          return one;
        }
        answers.push(one);
      }
      return answers.includes(null) ? null : 'throttled';
    });
    // Otherwise one address might try a password of its own on any number of namesakes.
    if (hasShownMore) for (const bucket of addressBuckets(ip).shared) await this.throttle.countFailure(bucket);
    // The password may be that of an account which was left out.
    return answer === null && answers.includes('throttled') ? 'throttled' : answer;
  }

  /** Takes back what the right password of one account has counted for others that it was tried on before. */
  private async hasShownMore(right: UserRow, wrong: readonly Wrong[]): Promise<boolean> {
    let isNew = false;
    for (const { account, takeBack } of wrong) {
      const tried = `${nameOf(account, '')} ${account.passwordHash} with ${nameOf(right, '')} ${right.passwordHash}`;
      if (await this.throttle.note(tried)) await takeBack();
      else isNew = true;
    }
    return isNew;
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
    onWrong?: (takeBack: () => Promise<void>) => void,
  ): Promise<Trial> {
    const { budgets } = this.ports;
    return this.throttle.attempt<SignedIn | 'throttled'>(
      buckets,
      async () => {
        if (account === null) return signInNobody(this.ports, attempt);
        const who = { clinicId: account.clinicId, userId: account.id };
        if (budgets.beforeSecret(who) > 0) return 'throttled';
        const answer = await signIn(this.ports, account, attempt);
        if (answer) budgets.secretUsed(who);
        return answer;
      },
      onWrong,
    );
  }
}
