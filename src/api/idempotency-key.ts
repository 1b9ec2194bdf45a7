import { uuidV7 } from '#domain/uuid.ts';
import { browserPorts } from '../db/ports.ts';

/** Returns a new idempotency key: the server applies a write once, however often it arrives under the same key. */
export const newIdempotencyKey = (): string => uuidV7(browserPorts.now(), browserPorts.random(10));
