import { Budgets } from '#server/http/budgets.ts';
import { SignInTrials } from '#server/modules/users/sign-in-trials.ts';
import type { Trial } from '#server/modules/users/sign-in-trials.ts';
import type { Ports } from '#server/ports.ts';

/** Signs in from an unknown device, without HTTP. */
export const signInAs = (ports: Ports, credentials: { email: string; password: string }): Promise<Trial> =>
  new SignInTrials({ ...ports, budgets: new Budgets(ports.clock, false) }).asStranger(credentials, '10.0.0.1');
