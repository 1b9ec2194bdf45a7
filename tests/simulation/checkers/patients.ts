/** Checks patients: the last of all updates of a field stands on the server and on every tablet, and of an erased patient nothing does. */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { FinalState, PatientRow, ReceiptRow, SettledRun, TabletState } from './final-state.ts';
import { groupBy, isOutstanding } from './final-state.ts';
import { effectiveMs } from './operations.ts';

type Update = Extract<AnyOperation, { kind: 'patient.update' }>;
type Field = (typeof fields)[number];
const fields = ['name', 'phone', 'email', 'notes', 'recipient'] as const;

export function checkPatients(final: FinalState, { wasRestored }: Pick<SettledRun, 'wasRestored'>): string[] {
  const { server, applied, tablets } = final;
  const erased = new Set(server.erasures.map(({ patient_id }) => patient_id));
  const updates = groupBy(
    applied.filter((operation) => operation.kind === 'patient.update'),
    ({ payload }) => payload.patient.patient_id,
  );
  const known = new Set(server.patients.map(({ id }) => id));
  return [
    ...[...updates.keys()].flatMap((id) => (known.has(id) ? [] : [`the server does not have patient ${id}`])),
    ...server.patients.flatMap((row) =>
      erased.has(row.id)
        ? checkErased(final, row, updates.get(row.id) ?? [])
        : checkFields(final, row, updates.get(row.id) ?? [], wasRestored),
    ),
    ...tablets.flatMap((tablet) => server.patients.flatMap((row) => checkShown(tablet, row))),
  ];
}

const textOf = (value: unknown): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? '');
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Returns what an update states of a field; undefined where it says nothing. */
function stated({ payload: { patient, ...details } }: Update, field: Field): unknown {
  if (field === 'name') return patient.known ? undefined : patient.name;
  return field === 'phone' ? (details.phone ?? (patient.known ? undefined : patient.phone)) : details[field];
}

/** The server has of each field what the last update states. */
function checkFields(
  { receipts }: FinalState,
  row: PatientRow,
  updates: readonly Update[],
  wasRestored: boolean,
): string[] {
  return fields.flatMap((field) => {
    const stating = updates.filter((update) => stated(update, field) !== undefined);
    const values = stating.map((update) => textOf(stated(update, field)));
    const kept = textOf(row[field]);
    if (stating.length === 0) return [];
    if (!values.includes(kept)) return [`patient ${row.id} has the ${field} ${kept}, which nobody stated`];
    // Which of two updates of a device was first is not known where they were lost and arrived again in another order.
    if (wasRestored && !isInTime(stating, receipts)) return [];
    const last = lastOf(stating, receipts).map((update) => textOf(stated(update, field)));
    return last.includes(kept)
      ? []
      : [`patient ${row.id} has the ${field} ${kept}, the last update says ${last.join()}`];
  });
}

const timeOf = (update: Update, receipts: ReadonlyMap<string, ReceiptRow>): number =>
  effectiveMs(update, receipts.get(update.op_id)!.received_ms);

const byDevice = (updates: readonly Update[]): Update[][] =>
  [...groupBy(updates, ({ device_id }) => String(device_id)).values()].map((own) =>
    own.toSorted((a, b) => a.device_seq - b.device_seq),
  );

/** True where no device has an update that took effect before an earlier one of its own. */
const isInTime = (updates: readonly Update[], receipts: ReadonlyMap<string, ReceiptRow>): boolean =>
  byDevice(updates).every((own) =>
    own.every((update, at) => at === 0 || timeOf(own[at - 1]!, receipts) <= timeOf(update, receipts)),
  );

/** Returns the last update: by time, where each of a device is at least as late as the one before it, then by device and sequence. */
function lastOf(updates: readonly Update[], receipts: ReadonlyMap<string, ReceiptRow>): Update[] {
  const placed = byDevice(updates).flatMap((own) => {
    let atMs = 0;
    return own.map((update) => {
      const ownMs = timeOf(update, receipts);
      // A retry keeps the time of what it replaces, and has no sequence.
      if (update.supersedes !== undefined) return { update, place: [ownMs, update.device_id, 0] as const };
      atMs = Math.max(atMs, ownMs);
      return { update, place: [atMs, update.device_id, update.device_seq] as const };
    });
  });
  const compare = (a: readonly number[], b: readonly number[]) =>
    a.reduce((order, each, at) => order || each - b[at]!, 0);
  const [first] = placed.toSorted((a, b) => compare(b.place, a.place));
  return placed.filter(({ place }) => compare(place, first!.place) === 0).map(({ update }) => update);
}

/** Nothing that was ever said of an erased patient is left on the server or in what tablets have settled. */
function checkErased({ tablets }: FinalState, row: PatientRow, updates: readonly Update[]): string[] {
  const { name, phone, email, notes, recipient, erased_at } = row;
  const left = [name, phone, email, notes, ...(recipient ? ['a recipient'] : [])].filter((text) => text !== '');
  const said = (update: Update) =>
    fields.map((field) => stated(update, field)).filter((value) => typeof value === 'string' && value.length > 3);
  return [
    ...(left.length > 0 || erased_at === null ? [`patient ${row.id} is erased and has ${left.join()}`] : []),
    ...tablets.flatMap(({ tablet, operations, states }) =>
      updates.flatMap((update) => {
        const kept = JSON.stringify(operations.get(update.op_id) ?? null);
        const state = states.get(update.op_id);
        if (!state || isOutstanding(state)) return [];
        return said(update).some((text) => kept.includes(String(text)))
          ? [`${tablet.name} keeps what ${update.op_id} said of an erased patient`]
          : [];
      }),
    ),
  ];
}

/** A tablet shows what the server has, unless an update of its own waits. */
function checkShown({ tablet, states, patients, patientDetails }: TabletState, row: PatientRow): string[] {
  if ([...states.values()].some((state) => state.aggregate === `patient:${row.id}` && isOutstanding(state))) return [];
  const patient = patients.find(({ id }) => id === row.id);
  const details = patientDetails.find(({ id }) => id === row.id);
  if (!patient) return [`${tablet.name} does not have patient ${row.id}`];
  const shown = { ...patient, ...details };
  const wrong = fields.filter((field) => textOf(shown[field]) !== textOf(row[field]));
  return wrong.map(
    (field) =>
      `${tablet.name} shows the ${field} ${textOf(shown[field])} of patient ${row.id}, the server has ${textOf(row[field])}`,
  );
}
