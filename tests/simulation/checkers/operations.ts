/** What became of each operation: applied once, waiting with a reason, or in the tray. */
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import type { FinalState, TabletState } from './final-state.ts';
import { groupBy } from './final-state.ts';
import { operationCountOf, unknownStock } from '../clients/workload.ts';
import type { ClientLog } from '../clients/client-log.ts';
import type { Simulation } from '../simulation.ts';

export function checkOperations(found: FinalState, simulation: Simulation): string[] {
  return [
    ...checkOutcomes(simulation.clientLog),
    ...found.facts.flatMap(({ operation, home }) => checkFact(found, operation, home, simulation.wasRestored)),
    ...found.facts.flatMap(({ operation }) => checkRefusal(found, operation)),
    ...(simulation.wasRestored ? [] : checkRescued(found, simulation.rescued)),
    ...checkStrangers(found),
    ...(simulation.wasRestored ? [] : checkOrder(found)),
    ...checkAnswers(found, simulation.clientLog),
  ];
}

/** What a person was told is what was written: all of it or nothing. */
function checkOutcomes({ entries }: ClientLog): string[] {
  return entries.flatMap(({ action, outcome, operations }) => {
    const written = operations.length;
    const steps = outcome.type === 'confirmed' ? outcome.told.steps : undefined;
    const whole = steps ?? operationCountOf(action) ?? written;
    if (outcome.type === 'confirmed' && written !== whole)
      return `${action} was confirmed and wrote ${written} operations`;
    if (action === 'sell') return written <= whole ? [] : `${action} wrote ${written} operations`;
    if (outcome.type === 'refused' && written !== 0)
      return `${action} was refused with ${outcome.code} and wrote ${written} operations`;
    return written === 0 || written === whole ? [] : `${action} wrote ${written} of its ${whole} operations`;
  });
}

function checkFact(found: FinalState, operation: AnyOperation, home: TabletState, wasRestored: boolean): string[] {
  const { op_id, kind } = operation;
  const who = `${kind} ${op_id} of ${home.tablet.name}`;
  const kept = home.operations.get(op_id);
  const state = home.states.get(op_id);
  const receipt = found.receipts.get(op_id);
  if (!kept || !state) return [`${who} is gone from its tablet`];
  if (JSON.stringify(kept) !== JSON.stringify(operation)) return [`${who} was rewritten on its tablet`];
  const violations: string[] = [];
  if (receipt) {
    if (receipt.actor_id !== operation.actor_id && !isClosedUnseen(found, op_id))
      violations.push(`${who} was done by ${operation.actor_id}, recorded as ${receipt.actor_id}`);
    const expected = effectiveMs(operation, receipt.received_ms);
    if (receipt.effective_ms !== expected && !isClosedUnseen(found, op_id)) {
      violations.push(`${who} took effect at ${receipt.effective_ms}, expected ${expected}`);
    }
  }
  const where = `${state.status} on the tablet, ${receipt?.status ?? 'unknown'} on the server (${state.last_error?.code ?? 'no error'})`;
  switch (state.status) {
    case 'settled':
      // A refused operation ends with its replacement; any other is applied.
      if (state.superseded_by === null ? receipt?.status !== 'applied' : receipt?.status === 'applied')
        violations.push(`${who} is ${where}`);
      break;
    case 'attention':
      if (receipt ? receipt.status !== 'refused' : !wasRestored) violations.push(`${who} is ${where}`);
      break;
    case 'accepted':
      violations.push(`${who} still waits for its receipt`);
      break;
    default:
      if (!waitsForTheTray(operation, home)) violations.push(`${who} is stuck: ${where}`);
      if (receipt) violations.push(`${who} has an answer and is ${where}`);
  }
  if (receipt?.status === 'refused' && receipt.superseded_by === null) {
    const flagged = found.server.attention.some(
      (item) => item.kind === 'refused' && item.op_id === op_id && item.settled_at === null,
    );
    if (!flagged) violations.push(`${who} is refused and no manager sees it`);
  }
  return violations;
}

/** SYNC-8: whoever uploads is written down apart from whoever did it. */
function checkRescued({ receipts }: FinalState, rescued: ReadonlyMap<string, number>): string[] {
  return [...rescued].flatMap(([opId, bearer]) => {
    const uploader = receipts.get(opId)?.uploaded_by;
    return uploader === bearer ? [] : [`${opId} was brought by ${bearer}, recorded as ${uploader}`];
  });
}

/** What a refusal may be about: the hand that did it, the form, or what became of another operation. */
const refusable = new Set(['FORBIDDEN', 'VALIDATION', 'SUPERSEDED', 'SUPERSEDES_APPLIED', 'DEPENDENCY_VOIDED']);

/** SYNC-2: a fact is a fact, whatever its price, its service or its treatment have become since. */
function checkRefusal({ receipts }: FinalState, operation: AnyOperation): string[] {
  const receipt = receipts.get(operation.op_id);
  if (receipt?.status !== 'refused') return [];
  const { code } = JSON.parse(receipt.reply) as { code: string };
  const isPlanted =
    operation.kind === 'stock.adjust' && code === 'STOCK_NOT_FOUND' && operation.payload.stock_id >= unknownStock;
  // Two tablets closed one drawer: the first count stands.
  const isSecond = operation.kind === 'drawer.close' && code === 'DRAWER_CLOSED';
  return refusable.has(code) || isPlanted || isSecond
    ? []
    : [`${operation.kind} ${operation.op_id} was refused with ${code}`];
}

/** SYNC-14: the device's time corrected by the offset that it knew, never later than the arrival. */
export function effectiveMs({ occurred_at, clock_offset_ms }: AnyOperation, receivedMs: number): number {
  return clock_offset_ms === null ? receivedMs : Math.min(receivedMs, Date.parse(occurred_at) + clock_offset_ms);
}

/** Its replacement came first: the server closed it without ever having seen it. */
function isClosedUnseen({ receipts }: FinalState, opId: string): boolean {
  const receipt = receipts.get(opId);
  return receipt?.superseded_by !== null && receipt?.reply.includes('SUPERSEDED') === true;
}

/** It depends, directly or not, on an operation that a person must decide about first. Nothing else may keep it waiting. */
function waitsForTheTray(operation: AnyOperation, home: TabletState, seen = new Set<string>()): boolean {
  return operation.depends_on.some((id) => {
    const state = home.states.get(id);
    if (!state || seen.has(id)) return false;
    seen.add(id);
    if (state.superseded_by) return waitsFor(state.superseded_by);
    return waitsFor(id);

    function waitsFor(opId: string): boolean {
      if (home.states.get(opId)?.status === 'attention') return true;
      const next = home.operations.get(opId);
      return next !== undefined && home.states.get(opId)?.status !== 'settled' && waitsForTheTray(next, home, seen);
    }
  });
}

function checkStrangers({ facts, receipts }: FinalState): string[] {
  const known = new Set(facts.map(({ operation }) => operation.op_id));
  return [...receipts.keys()]
    .filter((opId) => !known.has(opId))
    .map((opId) => `the server knows ${opId}, which nobody made`);
}

/**
 * SYNC-5: what one tablet did to one aggregate happened on the server in the same order. What a restored server lost comes
 * again, after what was new.
 */
function checkOrder({ facts, receipts, server }: FinalState): string[] {
  const ledger = new Map(server.ledger.flatMap((row) => (row.line_id === null ? [[row.op_id, row.id] as const] : [])));
  const applied = facts.flatMap(({ operation, home }) => {
    const receipt = receipts.get(operation.op_id);
    return receipt?.status === 'applied' && !operation.supersedes
      ? [{ operation, home, arrived: [receipt.received_ms, ledger.get(operation.op_id) ?? 0] as const }]
      : [];
  });
  return [...groupBy(applied, ({ operation, home }) => `${home.tablet.name} ${operation.aggregate}`).values()].flatMap(
    (chain) =>
      chain.flatMap(({ operation, arrived }, index) => {
        const before = chain[index - 1];
        return before && (before.arrived[0] > arrived[0] || before.arrived[1] > arrived[1])
          ? `${operation.op_id} overtook ${before.operation.op_id}`
          : [];
      }),
  );
}

/** SYNC-4: the stored reply is the one that was given. */
function checkAnswers({ receipts }: FinalState, clientLog: ClientLog): string[] {
  return [...receipts.values()].flatMap(({ op_id, status, reply }) => {
    const given = clientLog.answerTo(op_id);
    return given === undefined || given === `${status} ${reply}`
      ? []
      : `${op_id} was answered ${given}, stored is ${status} ${reply}`;
  });
}
