/** Mutations of the app's commands, its replay and its shared rules. */
import { refuse } from '#domain/result.ts';
import type { OperationState } from '#src/db/database.ts';
import type { Process } from '../clients/process.ts';
import { otherId } from './mutation.ts';
import type { Mutation } from './mutation.ts';

export const appMutations: readonly Mutation[] = [
  {
    name: 'operations in the tray are still replayed over the rows',
    seed: 6,
    functions: () => ({
      isReplayed: (real, state: OperationState) => real(state) === true || state.status === 'attention',
    }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: 'the base of a treatment is stored after the treatment has changed',
    seed: 29,
    functions: () => ({
      save: (real, write, draft: { id: string; order: unknown; base: object | null }) =>
        real(write, { ...draft, base: draft.base && { id: draft.id, order: draft.order } }),
    }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: 'a retry reuses the id of the refused operation',
    seed: 105,
    functions: () => ({
      retryRefused: async (_real, { db }: Process['context'], opId: string) => {
        const state = (await db.operation_states.get(opId))!;
        await db.operation_states.put({ ...state, status: 'pending', queue_place: state.position });
        return { ok: true, value: { opId } };
      },
    }),
    under: { incidents: ['other_person_takes_over'] },
  },
  {
    name: 'a sale that failed uses up a number',
    seed: 13,
    functions: () => ({
      commit: async (real, context: Process['context'], ...rest: unknown[]) => {
        const result = (await real(context, ...rest)) as { ok: boolean };
        if (!result.ok) await context.db.device.toCollection().modify((device) => void (device.counters.invoice += 1));
        return result;
      },
    }),
    under: { incidents: ['storage_full_at_write'] },
  },
  {
    name: 'the head of the chain is not kept',
    seed: 3,
    functions: () => ({
      commit: async (real, context: Process['context'], ...rest: unknown[]) => {
        const before = await context.db.device.get('this');
        const result = (await real(context, ...rest)) as { ok: boolean };
        await context.db.device.toCollection().modify((device) => void (device.chain = before?.chain ?? null));
        return result;
      },
    }),
  },
  {
    name: 'a counter is stored outside the transaction of its sale',
    seed: 53,
    functions: () => ({
      commit: async (real, context: Process['context'], ...rest: unknown[]) => {
        const before = await context.db.device.get('this');
        const result = (await real(context, ...rest)) as { ok: boolean };
        const after = await context.db.device.get('this');
        if (!before || !after) return result;
        await context.db.device.put({ ...after, counters: before.counters });
        await context.db.device.put(after);
        return result;
      },
    }),
    under: { incidents: ['tab_killed', 'work_in_two_tabs_at_once'] },
  },
  {
    name: 'a sale is confirmed although the storage is full',
    seed: 15,
    functions: () => ({
      commit: async (real, context, tables, work: (...given: unknown[]) => unknown, read) => {
        const result = (await real(context, tables, work, read)) as { ok: boolean; refusal?: { code: string } };
        if (result.refusal?.code !== 'STORAGE_FULL') return result;
        let told: unknown;
        const undone = refuse('STORAGE_FULL');
        const undo = async (...given: unknown[]) => {
          told = await work(...given);
          return undone;
        };
        await real(context, tables, undo, read);
        return told ?? undone;
      },
    }),
    under: { incidents: ['storage_full_at_commit'] },
  },
  {
    name: 'a rescue file is sent under new operation ids',
    seed: 3,
    functions: () => ({
      sendRescued: (real, sending: { operations: { op_id: string }[] }) =>
        real({
          ...sending,
          operations: sending.operations.map((operation) => ({ ...operation, op_id: otherId(operation.op_id) })),
        }) as unknown,
    }),
    under: { incidents: ['offline_spell', 'rescue_file_sent'] },
  },
  {
    name: 'an outage counts only one sale',
    seed: 16,
    functions: () => ({ queuedPayments: async (real, db) => ((await real(db)) as unknown[]).slice(0, 1) }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'a drawer report counts each refund twice',
    seed: 25,
    functions: () => ({
      drawerReport: (real, drawer, payments: { amountMinor: number }[], devices) =>
        real(drawer, [...payments, ...payments.filter(({ amountMinor }) => amountMinor < 0)], devices) as unknown,
    }),
  },
  {
    name: 'a drawer movement is replayed again after its receipt',
    seed: 5,
    functions: () => ({
      drawerRowFromResource: (real, document) => {
        const row = real(document) as { movements: unknown[] };
        return { ...row, movements: [...row.movements, ...row.movements.slice(-1)] };
      },
    }),
  },
  {
    name: 'a refund is a debt',
    seed: 5,
    functions: () => ({ reductionOf: () => 0 }),
  },
  {
    name: 'a discount is subtracted twice',
    functions: () => ({
      totals: (real, order: { discountMinor: number }) =>
        real({ ...order, discountMinor: order.discountMinor * 2 }) as unknown,
    }),
  },
];
