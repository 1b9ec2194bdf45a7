import { hash, verify } from '@node-rs/argon2';

export interface Passwords {
  hash(password: string): Promise<string>;
  /** With no hash, because there is no such user, the work is the same and the answer no. */
  matches(passwordHash: string | null, password: string): Promise<boolean>;
}

export interface PasswordCost {
  memoryKib: number;
  passes: number;
}

/** What OWASP recommends for argon2id. */
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
