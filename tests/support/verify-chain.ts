import { faultOf, isHead } from '#domain/fiscal/verify.ts';
import type { ChainFault, KnownHead } from '#domain/fiscal/verify.ts';
import type { FiscalRecord, Sha256 } from '#domain/fiscal/record.ts';

interface FaultyRecord {
  chain: string;
  sequence: number;
  fault: ChainFault;
}

/**
 * Returns the faults of one chain.
 *
 * @param records of one chain, in the order of their places
 * @param known heads that the chain must still contain
 */
export function verifyChain(
  records: readonly FiscalRecord[],
  sha256: Sha256,
  known: readonly KnownHead[] = [],
): FaultyRecord[] {
  const faults: FaultyRecord[] = [];
  const chain = records[0]?.chain ?? '';
  let before: FiscalRecord | null = null;
  for (const record of records) {
    const found = faultOf(record, before, sha256);
    if (found) faults.push({ chain: record.chain, sequence: record.sequence, fault: found });
    before = record;
  }
  for (const head of known)
    if (!records.some((record) => isHead(record, head)))
      faults.push({ chain, sequence: head.sequence, fault: 'missing' });
  return faults;
}
