import { db } from '../../local-data/database.ts';
import { browserPorts } from '../../db/ports.ts';
import { signIn } from '../../auth/sign-in.ts';
import type { Credentials, SignInAnswer } from '../../auth/sign-in.ts';

/** Signs in on this device. Loaded apart from the form, for the database is a third of the page's weight. */
export const signInOnDevice = (credentials: Credentials): Promise<SignInAnswer> =>
  signIn({ db, ports: browserPorts }, credentials);
