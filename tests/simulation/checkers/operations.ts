/** Checks the outcome of each operation: it is applied once, waits for a reason, or is in the tray. */
import { isMoneyKind, mostOpen, mostRefusedMoney } from '#domain/attention.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { AttentionRow, FinalState, SettledRun, TabletState } from './final-state.ts';
import { groupBy } from './final-state.ts';
import { operationCountOf, unknownStock } from '../clients/workload.ts';
import type { ClientLog } from '../clients/client-log.ts';

export function checkOperations(final: FinalState, run: SettledRun): string[] {
  return [
    ...checkOutcomes(run.clientLog),
    ...final.durable.flatMap(({ operation, origin }) => checkOperation(final, operation, origin, run.wasRestored)),
    ...final.durable.flatMap(({ operation }) => checkRefusal(final, operation)),
    ...checkToldRefusals(final),
    ...(run.wasRestored ? [] : checkRescued(final, run.rescued)),
    ...checkUnknown(final),
    ...(run.wasRestored ? [] : checkOrder(final)),
    ...checkReplies(final, run.clientLog),
  ];
}

/** An action is written completely or not at all, as its outcome says. */
function checkOutcomes({ entries }: ClientLog): string[] {
  return entries.flatMap(({ action, outcome, operations }) => {
    // The records of documents have a checker of their own.
    const written = operations.filter(({ kind }) => kind !== 'fiscal.record').length;
    const confirmedCount = outcome.type === 'confirmed' ? outcome.confirmation.operationCount : undefined;
    const expected = confirmedCount ?? operationCountOf(action) ?? written;
    if (outcome.type === 'confirmed' && written !== expected)
      return `${action} was confirmed and wrote ${written} operations`;
    if (action === 'sell') return written <= expected ? [] : `${action} wrote ${written} operations`;
    if (outcome.type === 'refused' && written !== 0)
      return `${action} was refused with ${outcome.code} and wrote ${written} operations`;
    return written === 0 || written === expected ? [] : `${action} wrote ${written} of its ${expected} operations`;
  });
}

function checkOperation(
  final: FinalState,
  operation: AnyOperation,
  origin: TabletState,
  wasRestored: boolean,
): string[] {
  const { op_id, kind } = operation;
  const label = `${kind} ${op_id} of ${origin.tablet.name}`;
  const kept = origin.operations.get(op_id);
  const state = origin.states.get(op_id);
  const receipt = final.receipts.get(op_id);
  if (!kept || !state) return [`${label} is missing on its tablet`];
  if (JSON.stringify(kept) !== JSON.stringify(operation) && !isOfErased(final, operation))
    return [`${label} was rewritten on its tablet`];
  const violations: string[] = [];
  if (receipt) {
    if (receipt.actor_id !== operation.actor_id && !isClosedUnseen(final, op_id))
      violations.push(`${label} was done by ${operation.actor_id}, recorded as ${receipt.actor_id}`);
    const expected = effectiveMs(operation, receipt.received_ms);
    if (receipt.effective_ms !== expected && !isClosedUnseen(final, op_id)) {
      violations.push(`${label} took effect at ${receipt.effective_ms}, expected ${expected}`);
    }
  }
  const statuses = `${state.status} on the tablet, ${receipt?.status ?? 'unknown'} on the server (${state.last_error?.code ?? 'no error'})`;
  switch (state.status) {
    case 'settled':
      // A refused operation is settled by its replacement; every other settled operation is applied.
      if (state.superseded_by === null ? receipt?.status !== 'applied' : receipt?.status === 'applied')
        violations.push(`${label} is ${statuses}`);
      break;
    case 'attention':
      if (receipt ? receipt.status !== 'refused' : !wasRestored) violations.push(`${label} is ${statuses}`);
      break;
    case 'accepted':
      violations.push(`${label} has not received its receipt`);
      break;
    default:
      if (!dependsOnTray(final, operation, origin)) violations.push(`${label} is stuck: ${statuses}`);
      if (receipt) violations.push(`${label} has a receipt and is ${statuses}`);
  }
  return violations;
}

/** The server rewrites what was said of a patient who was erased (`patients.ts` checks it). */
const isOfErased = ({ server }: FinalState, operation: AnyOperation): boolean =>
  operation.kind === 'patient.update' &&
  server.erasures.some(({ patient_id }) => patient_id === operation.payload.patient.patient_id);

/**
 * A manager is told of each refused operation that has no replacement. Of one person and device at most so many items are open,
 * and one more counts the others.
 */
function checkToldRefusals({ server, durable, receipts }: FinalState): string[] {
  const open = server.attention.filter(({ settled_at }) => settled_at === null);
  const told = new Set(open.flatMap(({ kind, op_id }) => (kind === 'refused' ? (op_id ?? []) : [])));
  const untold = durable.filter(({ operation: { op_id } }) => {
    const receipt = receipts.get(op_id);
    return receipt?.status === 'refused' && receipt.superseded_by === null && !told.has(op_id);
  });
  const sideOf = ({ operation }: (typeof untold)[number]) =>
    `${operation.actor_id} ${operation.device_id} ${isMoneyKind(operation.kind)}`;
  return [...groupBy(untold, sideOf).values()].flatMap((same) => {
    const { actor_id, device_id, kind: oneKind } = same[0]!.operation;
    const isMoney = isMoneyKind(oneKind);
    const codes = new Set(server.codes.flatMap((row) => (row.device_id === device_id ? row.code : [])));
    const isTheirs = ({ details }: AttentionRow) =>
      details['actor_id'] === actor_id && codes.has(String(details['device']));
    const items = server.attention.filter(
      (item) => item.kind === 'refused' && isTheirs(item) && isMoneyKind(item.op_kind) === isMoney,
    );
    const counted = open.filter((item) => item.kind === 'refused_more' && isTheirs(item));
    const count = counted.reduce((sum, { details }) => sum + Number(details['count']), 0);
    return items.length >= (isMoney ? mostRefusedMoney : mostOpen.refused) &&
      counted.length === 1 &&
      count >= same.length
      ? []
      : same.map(
          ({ operation: { kind, op_id }, origin }) =>
            `${kind} ${op_id} of ${origin.tablet.name} is refused without an open attention item`,
        );
  });
}

/** SYNC-8: the receipt names the uploader separately from the actor. */
function checkRescued({ receipts }: FinalState, rescued: ReadonlyMap<string, number>): string[] {
  return [...rescued].flatMap(([opId, expected]) => {
    const uploader = receipts.get(opId)?.uploaded_by;
    return uploader === expected ? [] : [`${opId} was uploaded by ${expected}, recorded as ${uploader}`];
  });
}

/** The codes with which a fact may be refused: for its actor, its form, or the outcome of another operation. */
const allowedRefusals = new Set(['FORBIDDEN', 'VALIDATION', 'SUPERSEDED', 'SUPERSEDES_APPLIED', 'DEPENDENCY_VOIDED']);

/** SYNC-2: a fact is not refused, however its price, its service or its treatment changed since. */
function checkRefusal({ receipts }: FinalState, operation: AnyOperation): string[] {
  const receipt = receipts.get(operation.op_id);
  if (receipt?.status !== 'refused') return [];
  const { code } = JSON.parse(receipt.reply) as { code: string };
  const isPoison =
    operation.kind === 'stock.adjust' && code === 'STOCK_NOT_FOUND' && operation.payload.stock_id >= unknownStock;
  // When two tablets close one drawer, the first count stands.
  const isSecondClose = operation.kind === 'drawer.close' && code === 'DRAWER_CLOSED';
  return allowedRefusals.has(code) || isPoison || isSecondClose
    ? []
    : [`${operation.kind} ${operation.op_id} was refused with ${code}`];
}

/** SYNC-14: the device's time corrected by its known clock offset, and at most the time of arrival. */
export function effectiveMs({ occurred_at, clock_offset_ms }: AnyOperation, receivedMs: number): number {
  return clock_offset_ms === null ? receivedMs : Math.min(receivedMs, Date.parse(occurred_at) + clock_offset_ms);
}

/** Returns true if the replacement arrived first, so that the server closed the operation without having seen it. */
function isClosedUnseen({ receipts }: FinalState, opId: string): boolean {
  const receipt = receipts.get(opId);
  return receipt?.superseded_by !== null && receipt?.reply.includes('SUPERSEDED') === true;
}

/**
 * Returns true if the operation depends, directly or not, on one in the tray, or in that of a copy of the tablet. This is the
 * only reason for which an operation may wait.
 */
function dependsOnTray(
  { receipts }: Pick<FinalState, 'receipts'>,
  operation: AnyOperation,
  origin: TabletState,
  seen = new Set<string>(),
): boolean {
  return operation.depends_on.some((id) => {
    const state = origin.states.get(id);
    if (!state || seen.has(id)) return false;
    seen.add(id);
    return isBlockedBy(id);

    /** The copy of a tablet may have retried what both had in the tray. */
    function isInTrayOfCopy(opId: string): boolean {
      const receipt = receipts.get(opId);
      if (receipt?.superseded_by) return isInTrayOfCopy(receipt.superseded_by);
      return receipt?.status === 'refused';
    }

    /** What was refused may have been retried, and refused, more than once. */
    function isBlockedBy(opId: string): boolean {
      const { status, superseded_by: next } = origin.states.get(opId) ?? {};
      if (next) return isBlockedBy(next);
      if (status === 'attention') return true;
      const behind = origin.operations.get(opId);
      if (!behind) return isInTrayOfCopy(opId);
      return status !== 'settled' && dependsOnTray({ receipts }, behind, origin, seen);
    }
  });
}

function checkUnknown({ durable, receipts }: FinalState): string[] {
  const known = new Set(durable.map(({ operation }) => operation.op_id));
  return [...receipts.keys()]
    .filter((opId) => !known.has(opId))
    .map((opId) => `the server has ${opId}, which no tablet wrote`);
}

/**
 * SYNC-5: the server applies the operations of one tablet on one aggregate in their order. This does not hold after a restore:
 * lost operations are sent again after newer ones.
 */
function checkOrder({ durable, receipts, server }: FinalState): string[] {
  const ledger = new Map(server.ledger.flatMap((row) => (row.line_id === null ? [[row.op_id, row.id] as const] : [])));
  const applied = durable.flatMap(({ operation, origin }) => {
    const receipt = receipts.get(operation.op_id);
    return receipt?.status === 'applied' && !operation.supersedes
      ? [{ operation, origin, arrived: [receipt.received_ms, ledger.get(operation.op_id) ?? 0] as const }]
      : [];
  });
  return [
    ...groupBy(applied, ({ operation, origin }) => `${origin.tablet.name} ${operation.aggregate}`).values(),
  ].flatMap((chain) =>
    chain.flatMap(({ operation, arrived }, index) => {
      const before = chain[index - 1];
      return before && (before.arrived[0] > arrived[0] || before.arrived[1] > arrived[1])
        ? `${operation.op_id} overtook ${before.operation.op_id}`
        : [];
    }),
  );
}

/** SYNC-4: the stored reply equals the reply that was sent. */
function checkReplies({ receipts }: FinalState, clientLog: ClientLog): string[] {
  return [...receipts.values()].flatMap(({ op_id, status, reply }) => {
    const sent = clientLog.replyTo(op_id);
    return sent === undefined || sent === `${status} ${reply}`
      ? []
      : `${op_id} was answered ${sent}, but the stored reply is ${status} ${reply}`;
  });
}

/** SYNC-7: a replaced or voided operation is closed by that operation alone, and the audit log names the person who voided it. */
export function checkReplacements({ applied, receipts, server }: FinalState): string[] {
  const logged = new Map(server.voids.map((row) => [row.details['void'], row]));
  const violations = applied.flatMap((operation) => {
    const { op_id, supersedes, actor_id, device_id } = operation;
    const old =
      supersedes === undefined ? undefined : operation.kind === 'operation.void' ? operation.payload.op_id : supersedes;
    if (old === undefined) return [];
    const closed = receipts.get(old);
    const isClosed = closed?.status === 'refused' && closed.superseded_by === op_id;
    const unclosed = isClosed
      ? []
      : [
          `${operation.kind} ${op_id} replaces ${old}, which is ${closed?.status ?? 'unknown'} and closed by ${closed?.superseded_by}`,
        ];
    if (operation.kind !== 'operation.void') return unclosed;
    const row = logged.get(op_id);
    logged.delete(op_id);
    const isLogged = row?.subject === old && row.user_id === actor_id && row.device_id === device_id;
    return isLogged ? unclosed : [...unclosed, `void ${op_id} is logged as ${JSON.stringify(row)}`];
  });
  return [...violations, ...[...logged.keys()].map((opId) => `the audit log has void ${opId}, which no tablet wrote`)];
}
