/** Mutations of the sending of fiscal records. */
import type { StoredReply } from '#server/modules/fiscal/answers-store.ts';
import type { UnsentRecord } from '#server/modules/fiscal/queue-store.ts';
import type { AgencyFault, AgencyVerdict, FiscalProfile } from '../faults/profile.ts';
import { untold } from './mutation.ts';
import type { Mutation } from './mutation.ts';

/** A busy clinic with VERI*FACTU, and an agency with some faults. */
function agency(
  faults: readonly AgencyFault[] = [],
  verdicts: readonly AgencyVerdict[] = [],
  other: Partial<FiscalProfile> = {},
): { fiscal: FiscalProfile; steps: number; pauseMs: [number, number] } {
  const often = <K extends string>(kinds: readonly K[]) =>
    Object.fromEntries(kinds.map((kind) => [kind, 3])) as Partial<Record<K, number>>;
  const fiscal: FiscalProfile = {
    hasSister: false,
    lookMs: 20_000,
    agencyFaults: { answers: 3, ...often(faults) },
    verdicts: { accepts: 6, ...often(verdicts) },
    tellsHash: false,
    ...other,
  };
  return { fiscal, steps: 16, pauseMs: [10_000, 240_000] };
}

export const senderMutations: readonly Mutation[] = [
  {
    name: 'sender: the wait that a reply asks for is forgotten',
    seed: 5,
    functions: () => ({
      savePace: (real, sql, taxId, pace: { waitSeconds: number; nextCallAtMs: number }) =>
        real(sql, taxId, {
          ...pace,
          waitSeconds: 0,
          nextCallAtMs: pace.nextCallAtMs - pace.waitSeconds * 1000,
        }) as unknown,
    }),
    under: { profile: agency() },
  },
  {
    // Either is enough: what was in no call before is asked about.
    name: 'sender: an attempt is not counted before the call, and the agency is not asked',
    seed: 20,
    functions: () => ({ countAttempt: () => Promise.resolve(), openInquiries: () => Promise.resolve() }),
    under: { profile: agency(['agency_reply_lost']) },
  },
  {
    name: 'sender: records are sent newest first',
    seed: 5,
    functions: () => ({
      inChainOrder: (real, ...args: unknown[]) => (real(...args) as UnsentRecord[]).toReversed(),
    }),
    under: { profile: agency(['agency_down']) },
  },
  {
    // A restore makes a tablet send a lost record again, which arrives behind newer ones.
    name: 'sender: records are sent as they came',
    seed: 22,
    functions: () => ({ inChainOrder: (_real, records: readonly UnsentRecord[]) => records }),
    under: { incidents: ['server_restored'], profile: agency(['agency_down']) },
  },
  {
    name: 'sender: a record that is sent again has a new hash',
    seed: 3,
    functions: () => ({
      unsentRecords: async (real, ...args: unknown[]) =>
        ((await real(...args)) as UnsentRecord[]).map((one) =>
          one.attempts === 0
            ? one
            : { ...one, record: { ...one.record, hash: one.record.hash.split('').toReversed().join('') } },
        ),
    }),
    under: { profile: agency(['agency_reply_lost']) },
  },
  {
    name: 'sender: a rejected record is told to nobody',
    functions: () => untold('record_rejected'),
    under: { profile: agency([], ['rejects']) },
  },
  {
    name: 'sender: every record of a call counts as accepted',
    functions: () => ({
      saveReplies: (real, sql, at, replies: StoredReply[]) =>
        real(
          sql,
          at,
          // A trigger of the database compares the state with what the agency said.
          replies.map((reply) => ({ ...reply, state: 'accepted', said: 'accepted', code: null })),
        ) as unknown,
    }),
    under: { profile: agency([], ['rejects']) },
  },
  {
    name: 'sender: a record that breaks the schema holds up all others',
    functions: () => ({
      savePace: (real, sql, taxId, pace: object) => real(sql, taxId, { ...pace, mostRecords: 1000 }) as unknown,
    }),
    under: { profile: agency([], ['breaks_schema']) },
  },
  {
    name: 'server: a record is not noted for the sender',
    functions: () => ({
      insertSendings: (real, sql, clinicId, settings, records: unknown[]) =>
        real(sql, clinicId, settings, records.slice(1)) as unknown,
    }),
    under: { profile: agency() },
  },
  {
    name: 'server: a void leaves its document uncancelled',
    seed: 30,
    functions: () => ({ recordsToCancel: () => Promise.resolve([]) }),
    under: { incidents: ['other_person_takes_over'], profile: agency() },
  },
];
