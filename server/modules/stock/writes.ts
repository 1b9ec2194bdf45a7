import type { Ports } from '../../ports.ts';
import { feedWrites } from '../../operations/rest-writes.ts';
import type { WriteHandler } from '../../operations/rest-writes.ts';

/** Changes of a clinic's catalogue are made one after the other: an ingredient that must exist cannot be deleted meanwhile. */
export const catalogueWrites = (ports: Pick<Ports, 'database' | 'clock'>): WriteHandler =>
  feedWrites(ports, 'catalogue');
