import type { Deps } from '../../deps.ts';
import { feedWrites } from '../../http/writes.ts';
import type { RestWrite } from '../../http/writes.ts';

/** Changes of a clinic's catalogue are made one after the other: an ingredient that must exist cannot be deleted meanwhile. */
export const catalogueWrites = (deps: Pick<Deps, 'database' | 'clock'>): RestWrite => feedWrites(deps, 'catalogue');
