/**
 * Judges a history when all has come to rest. It knows the rules by their words and adds up by itself: nothing of the
 * product's own reducers or readers is used, so a mistake there cannot hide itself here.
 */
import { auditDrawers } from './audit-drawers.ts';
import { auditOperations } from './audit-operations.ts';
import { auditOrders } from './audit-orders.ts';
import { auditOutages } from './audit-outages.ts';
import { auditDocuments } from './audit-documents.ts';
import { auditReplacements } from './audit-replacements.ts';
import { auditStock } from './audit-stock.ts';
import { auditTablets } from './audit-tablets.ts';
import { buildCase, serverEvidence, tabletEvidence } from './evidence.ts';
import { seenInCase } from './sightings.ts';
import type { Shift } from './shift.ts';

export async function audit(shift: Shift): Promise<string[]> {
  const { clinic, notebook, tablets, world } = shift;
  const found = buildCase(await serverEvidence(clinic), await Promise.all(tablets.map(tabletEvidence)));
  for (const sight of seenInCase(found)) world.history.count(`seen ${sight}`);
  return [
    ...auditOperations(found, shift),
    ...auditOrders(found, notebook, clinic),
    ...auditStock(found, clinic),
    ...auditDocuments(found, notebook),
    ...auditTablets(found),
    ...auditReplacements(found),
    ...auditOutages(found),
    ...(await auditDrawers(found, clinic)),
  ];
}
