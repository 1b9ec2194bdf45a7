import { hash, verify } from '@node-rs/argon2';

/** The order of hashes that wait. */
export type Urgency = 'first' | 'last';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash, because the user does not exist, takes the same time and returns false. */
  matches(passwordHash: string | null, password: string, urgency?: Urgency): Promise<boolean>;
}

export interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** The OWASP recommendation for argon2id. */
const recommended: PasswordCost = { memoryKib: 19 * 1024, passes: 2 };

export function argon2Passwords({ memoryKib, passes }: PasswordCost = recommended): Passwords {
  // The package's default algorithm is argon2id.
  const options = { memoryCost: memoryKib, timeCost: passes, parallelism: 1 };
  let decoy: Promise<string> | undefined;
  return {
    hash: (password) => hash(password, options),
    async matches(passwordHash, password) {
      const isMatch = await verify(passwordHash ?? (await (decoy ??= hash('', options))), password);
      return isMatch && passwordHash !== null;
    },
  };
}
