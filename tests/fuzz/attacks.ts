/**
 * Batches of operations that a signed-in attacker makes from valid ones: fields hold the largest, the oldest and other
 * odd values, operations name other people and devices, replace what is not theirs, carry approvals of people who may not
 * give them, and forge fiscal records. They are signed again, as far as the attacker has a key.
 *
 * fast-check draws plans from a seed. Ids and times belong to the run, so a plan becomes a request when it is sent.
 */
import fc from 'fast-check';
import { chainAggregate } from '#domain/fiscal/operations.ts';
import type { IssueRecord } from '#domain/fiscal/record.ts';
import { maxMilli, maxMinor } from '#domain/limits.ts';
import { operationKinds } from '#domain/protocol/operations.ts';
import type { AnyOperation, OperationKind } from '#domain/protocol/operations.ts';
import type { Role } from '#domain/staff/roles.ts';
import { roles } from '#domain/staff/roles.ts';
import { approvalProofOf } from '#src/db/proof.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { forged } from '../support/fiscal-till.ts';
import { newId } from '../support/unique.ts';
import type { TestDevice } from '../support/device.ts';
import { oddValues } from '../support/fuzz-requests.ts';
import { operationOf } from '../support/operation-of-kind.ts';
import { actorKeyIn, signedBy } from '../support/proofs.ts';
import { chainOf, someDocument } from '../support/verifactu/records.ts';

/** A choice among things that are known only when the plan is carried out: a share of their number. */
type Choice = number;
const choice = fc.integer({ min: 0, max: 999_999 });
const chosen = <T>(from: readonly T[], which: Choice): T => from[which % from.length]!;

interface Change {
  /** Most changes are to the payload, because a wrong envelope is refused before anything else is looked at. */
  isOfPayload: boolean;
  field: Choice;
  value: Choice;
  /** Replaces the extreme value that `value` chooses. */
  odd: { value: unknown } | null;
}

interface PlannedOperation {
  kind: OperationKind;
  target: Choice;
  stock: Choice;
  changes: readonly Change[];
  /** Whose name the operation has instead of the attacker's. */
  claims: 'nothing' | 'actor' | 'device' | 'both';
  /** When the attacker signs: after the changes, before them, or never. */
  signs: 'after' | 'before' | 'never';
  /** The chance is small: what depends on a refused operation waits. */
  dependsOnLast: boolean;
  /** What it claims to replace: an operation that somebody has sent, or one that never arrived. */
  supersedes: 'nothing' | 'earlier' | 'absent';
  /** Whose approval it carries. A false one is signed by the attacker. */
  approvedBy: 'nobody' | 'manager' | 'deactivated' | 'false';
  /** Of a fiscal record: whose code it has, and whether its document is an operation that somebody has sent. */
  record: { code: 'own' | 'victim' | 'other clinic' | 'ungranted'; isOfEarlier: boolean; amount: Choice };
}

export interface Attack {
  role: Role;
  operations: PlannedOperation[];
}

const change: fc.Arbitrary<Change> = fc.record({
  isOfPayload: fc.integer({ min: 0, max: 3 }).map((side) => side > 0),
  field: choice,
  value: choice,
  odd: fc.oneof(
    { weight: 9, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: oddValues.map((value) => ({ value })) },
  ),
});

/** Half of the operations have no change, so that the attacked rows move on. */
const operation: fc.Arbitrary<PlannedOperation> = fc.record({
  kind: fc.constantFrom(...operationKinds),
  target: choice,
  stock: choice,
  changes: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.tuple(change) },
    { weight: 1, arbitrary: fc.array(change, { minLength: 2, maxLength: 3 }) },
  ),
  claims: fc.oneof(
    { weight: 30, arbitrary: fc.constant<PlannedOperation['claims']>('nothing') },
    { weight: 1, arbitrary: fc.constantFrom<PlannedOperation['claims']>('actor', 'device', 'both') },
  ),
  signs: fc.oneof(
    { weight: 30, arbitrary: fc.constant<PlannedOperation['signs']>('after') },
    { weight: 1, arbitrary: fc.constantFrom<PlannedOperation['signs']>('before', 'never') },
  ),
  dependsOnLast: fc.integer({ min: 0, max: 7 }).map((side) => side === 0),
  supersedes: fc.oneof(
    { weight: 10, arbitrary: fc.constant<PlannedOperation['supersedes']>('nothing') },
    { weight: 2, arbitrary: fc.constantFrom<PlannedOperation['supersedes']>('earlier', 'absent') },
  ),
  approvedBy: fc.oneof(
    { weight: 10, arbitrary: fc.constant<PlannedOperation['approvedBy']>('nobody') },
    { weight: 2, arbitrary: fc.constantFrom<PlannedOperation['approvedBy']>('manager', 'deactivated', 'false') },
  ),
  record: fc.record({
    code: fc.constantFrom<PlannedOperation['record']['code']>('own', 'own', 'victim', 'other clinic', 'ungranted'),
    isOfEarlier: fc.boolean(),
    amount: choice,
  }),
});

export const attack: fc.Arbitrary<Attack> = fc.record({
  role: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom(...roles) },
    { weight: 1, arbitrary: fc.constantFrom<Role>('counter', 'manager') },
  ),
  operations: fc.oneof(
    { weight: 8, arbitrary: fc.array(operation, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(operation, { minLength: 20, maxLength: 40 }) },
  ),
});

type Fields = Record<string, unknown>;
type Place = { holder: Fields; name: string };

/** Returns every field of an operation, with those of objects and lists in it. */
function placesIn(holder: Fields): Place[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder, name },
    ...(typeof value === 'object' && value !== null ? placesIn(value as Fields) : []),
  ]);
}

const instants = [
  '1000-01-01T00:00:00.000Z',
  '1900-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '2000-02-29T12:00:00Z',
  '2038-01-19T03:14:08.000Z',
  '2999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
];
const isInstant = (text: string) => /^\d{4}-\d\d-\d\dT/.test(text);
const isId = (text: string) => /^[0-9a-f-]{36}$/.test(text);
/** A document's number: its series, the device's code and a count. */
const documentNumber = /^([A-Z]+)-(\w+)-(\d+)$/;

/** People other than the attackers. */
export interface Bystanders {
  /** In whose name others claim to act. */
  victim: TestDevice;
  /** A manager, and one who was deactivated. */
  approvers: Record<'manager' | 'deactivated', number>;
  /** Returns the key that a person's vault holds on a device. */
  keyOn: (device: TestDevice, userId: number) => ActorKey;
  /** The code of a device of another clinic. */
  foreignCode: string;
}

/** Amounts of forged records, in minor units. */
const amounts = [0, 1, 60_00, 3_000_00, 3_000_01, maxMinor, -60_00];

/** What attackers have sent so far, newest last, and the targets of operations. */
export class Battlefield {
  private readonly opIds: string[] = [];
  private readonly created: AnyOperation[] = [];
  private readonly drawerIds: string[] = [];

  constructor(
    private readonly devices: ReadonlyMap<Role, TestDevice>,
    private readonly others: Bystanders,
    first: { created: AnyOperation; drawerId: string },
    private readonly lastStockId: number,
  ) {
    this.created.push(first.created);
    this.drawerIds.push(first.drawerId);
  }

  /** Carries out a plan. Returns the body of its batch and the token of its sender. */
  carryOut({ role, operations }: Attack): { operations: Fields[]; token: string } {
    const attacker = this.devices.get(role)!;
    const sent: Fields[] = [];
    for (const plan of operations) {
      const last = sent.at(-1)?.['op_id'];
      sent.push(this.operation(attacker, plan, plan.dependsOnLast && typeof last === 'string' ? [last] : []));
    }
    return { operations: sent, token: attacker.token };
  }

  private operation(attacker: TestDevice, plan: PlannedOperation, dependsOn: string[]): Fields {
    const valid =
      plan.kind === 'fiscal.record'
        ? this.forgedRecord(attacker, plan.record)
        : operationOf(attacker, plan.kind, {
            created: chosen(this.created, plan.target),
            drawerId: chosen(this.drawerIds, plan.target),
            stockId: 1 + (plan.stock % this.lastStockId),
          });
    if (valid.kind === 'order.create') remember(this.created, valid);
    if (valid.kind === 'drawer.open') remember(this.drawerIds, valid.payload.drawer_id);
    remember(this.opIds, valid.op_id);
    const key = actorKeyIn(attacker.info);
    const replaced = { nothing: undefined, earlier: this.someId(plan.target), absent: newId() }[plan.supersedes];
    const claimed = { ...valid, depends_on: dependsOn, ...(replaced !== undefined && { supersedes: replaced }) };
    const honest = this.approved(claimed, attacker, plan.approvedBy);
    // Shared parts of the valid operation must not change.
    const fields = structuredClone(plan.signs === 'before' ? signedBy(key, honest) : honest) as unknown as Fields;
    if (plan.claims === 'actor' || plan.claims === 'both') fields['actor_id'] = this.others.victim.userId;
    if (plan.claims === 'device' || plan.claims === 'both') fields['device_id'] = this.others.victim.info.device_id;
    for (const one of plan.changes) this.change(fields, one, attacker);
    // As JSON carries it, since that is what the server verifies.
    return plan.signs === 'after' ? signedBy(key, JSON.parse(JSON.stringify(fields)) as Fields) : fields;
  }

  /** Returns a record whose digests fit what it says, of a document that is not its own. */
  private forgedRecord(attacker: TestDevice, { code, isOfEarlier, amount }: PlannedOperation['record']): AnyOperation {
    const chain = {
      own: attacker.info.code,
      victim: this.others.victim.info.code,
      'other clinic': this.others.foreignCode,
      ungranted: 'QQQ1',
    }[code];
    const count = String(1 + (amount % 999_999)).padStart(6, '0');
    const document = someDocument({ number: `INV-${chain}-${count}`, totalMinor: chosen(amounts, amount) });
    const day = new Date().toISOString().slice(0, 10);
    const [record] = chainOf([document], { chain, day });
    const { fields } = record as IssueRecord;
    const document_op_id = (isOfEarlier && this.someId(amount)) || newId();
    return attacker.operation('fiscal.record', forged(record as IssueRecord, { document_op_id, fields }), {
      aggregate: chainAggregate(chain),
    });
  }

  private approved(asked: AnyOperation, attacker: TestDevice, by: PlannedOperation['approvedBy']): AnyOperation {
    if (by === 'nobody') return asked;
    const { approvers, keyOn } = this.others;
    const userId = approvers[by === 'false' ? 'manager' : by];
    const key = by === 'false' ? actorKeyIn(attacker.info) : keyOn(attacker, userId);
    return { ...asked, approval: { actor_id: userId, proof: approvalProofOf(key, asked) } };
  }

  private change(fields: Fields, { isOfPayload, field, value, odd }: Change, attacker: TestDevice): void {
    const { payload } = fields;
    const inside = isOfPayload && typeof payload === 'object' && payload !== null ? placesIn(payload as Fields) : [];
    const { holder, name } = chosen(inside.length > 0 ? inside : placesIn(fields), field);
    holder[name] = odd ? odd.value : chosen(this.extremesOf(holder[name], attacker), value);
  }

  /** Returns the values that are worth trying instead of a valid one: mostly at or beyond a bound. */
  private extremesOf(value: unknown, attacker: TestDevice): unknown[] {
    if (typeof value === 'number')
      return [0, 0.01, 0.001, -1, value * 1000, maxMinor / 100, maxMilli / 1000, 1e7, 2 ** 31 - 1, 2 ** 53 - 1, 1e300];
    if (Array.isArray(value))
      return [2, 51, 201].map((times) => Array.from({ length: times }, () => value[0] ?? this.someId(times)));
    if (typeof value !== 'string') return [null, {}, [], ''];
    if (isInstant(value))
      return [...instants, ...[-366, -2, 2, 40].map((days) => new Date(Date.now() + days * 86_400_000).toISOString())];
    if (isId(value)) return [this.someId(value.charCodeAt(30)), this.someId(value.charCodeAt(31)), newId(), 'x'];
    const [, series, code] = documentNumber.exec(value) ?? [];
    if (series)
      return [
        `${series}-${code}-2147483647`,
        `${series}-${code}-9007199254740991`,
        `${series}-S0-2147483647`,
        `${series}-${this.others.victim.info.code}-999999`,
        `${series}-${attacker.info.code}-000001`,
        series,
      ];
    return ['', 'x'.repeat(2000), 'x'.repeat(20_000), '\u0000', 'XXX', `${value}0`];
  }

  /** Returns the id of an earlier operation; undefined before the first. */
  someId(which: Choice): string | undefined {
    return this.opIds.length === 0 ? undefined : chosen(this.opIds, which);
  }
}

const mostRemembered = 300;

function remember<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > mostRemembered) list.shift();
}
