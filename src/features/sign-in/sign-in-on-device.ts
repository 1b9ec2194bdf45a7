import { db } from '../../local-data/database.ts';
import { browserPorts } from '../../db/ports.ts';
import { signIn } from '../../auth/sign-in.ts';
import type { Credentials, SignInAnswer } from '../../auth/sign-in.ts';

/** Signs in on this device. A chunk of its own, so that the form loads without the database. */
export const signInOnDevice = (credentials: Credentials): Promise<SignInAnswer> =>
  signIn({ db, ports: browserPorts }, credentials);
