/** Verifies the records of a chain: that nothing was added, removed or changed. */
import { hashOf, sealOf } from './record.ts';
import type { ChainLink, FiscalRecord, Sha256 } from './record.ts';

/**
 * The faults of a record. `hash` and `seal`: its content is not what was hashed. `link`: it does not follow the record
 * before it. `missing`: records before it are not there. `fork`: another record has its place.
 */
export type ChainFault = 'hash' | 'seal' | 'link' | 'missing' | 'fork';

/** A head that was printed or told before, such as on a Z report. `seal` may be its beginning. */
export interface KnownHead {
  sequence: number;
  seal: string;
}

/** A head with its chain, as a Z report prints it. */
export interface NamedHead extends KnownHead {
  chain: string;
}

export const isHead = ({ sequence, seal }: FiscalRecord, known: KnownHead): boolean =>
  sequence === known.sequence && seal.startsWith(known.seal);

/** Returns a record as it is stored; null when so little of it is left that nothing can be computed. */
export function readRecord(stored: unknown): FiscalRecord | null {
  const { fields, seal } = (stored ?? {}) as { fields?: unknown; seal?: unknown };
  return typeof fields === 'object' && fields !== null && typeof seal === 'string' ? (stored as FiscalRecord) : null;
}

/** @param before the record at the place before; null if there is none */
export function faultOf(record: FiscalRecord, before: FiscalRecord | null, sha256: Sha256): ChainFault | null {
  const { sequence, previous } = record;
  // The seal covers the shape of a record too, which the hash takes for granted.
  if (record.seal !== sealOf(record, sha256)) return 'seal';
  if (record.hash !== hashOf(record, sha256)) return 'hash';
  if (before?.sequence === sequence) return 'fork';
  if (sequence !== (before?.sequence ?? 0) + 1) return 'missing';
  return isLinked(previous, before) ? null : 'link';
}

function isLinked(previous: ChainLink | null, before: FiscalRecord | null): boolean {
  if (!previous || !before) return previous === null && before === null;
  const { fields, hash, seal } = before;
  return (
    previous.number === fields.number &&
    previous.issued_on === fields.issued_on &&
    previous.hash === hash &&
    previous.seal === seal
  );
}
