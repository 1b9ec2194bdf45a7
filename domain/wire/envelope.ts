/**
 * The envelope of an operation, and how a noun declares its kinds of operation. A noun lists its kinds in its
 * `operations.ts`; `protocol/operations.ts` joins the lists.
 */
/** An operation is immutable (SYNC-1). `device_seq` orders the operations of one device; time never does. */
export interface Envelope<Kind extends string, Payload> {
  op_id: string;
  device_id: number;
  device_seq: number;
  /** `order:<uuid>`, `stock:<id>`, `drawer:<uuid>`, `patient:<uuid>` or `chain:<code>`. Order holds within an aggregate and its dependants, never across (SYNC-5). */
  aggregate: string;
  depends_on: string[];
  /** The refused operation that this operation replaces (SYNC-7). */
  supersedes?: string | undefined;
  kind: Kind;
  v: number;
  payload: Payload;
  actor_id: number;
  occurred_at: string;
  /** Server clock minus device clock in milliseconds, as last measured; null when never measured (SYNC-14). */
  clock_offset_ms: number | null;
  /** Set when somebody else approved what the actor alone may not do. */
  approval?: Approval | undefined;
  /** Shows who acted and on which device (`proof.ts`). Operations that the server makes of REST calls have none. */
  proof?: string | undefined;
}

/** The consent of a second person, given at the same device. */
export interface Approval {
  actor_id: number;
  /** Shows that this person approved exactly this operation (`proof.ts`). */
  proof: string;
}

/** The union of a noun's operations. `Payloads` maps each kind to its payload. */
export type OperationsOf<Payloads> = {
  [Kind in keyof Payloads & string]: Envelope<Kind, Payloads[Kind]>;
}[keyof Payloads & string];

/** An operation as the outbox and the tray show it. Payloads of refused operations may be malformed. */
export interface OperationSummary {
  /** The number of the document that the operation issues. */
  number?: string | undefined;
  /** Minor units, negative for money given back or taken out; null when the operation moves no money. */
  amountMinor: number | null;
  /** The payment method of a payment or refund. */
  method?: string | undefined;
  /** Set for money that was moved by hand. */
  reason?: string | undefined;
}

/** One kind of operation: its effect on the aggregate's state, and its summary. */
interface KindDefinition<Operation extends { payload: unknown }, State> {
  /**
   * Returns the state after the operation; null when there is nothing to apply it to. Applying an operation twice changes
   * nothing more. The function is total: decisions are made before, here a fact is recorded.
   *
   * @param atMs when the operation took effect (milliseconds, see `effectiveAt`)
   */
  apply: (state: State | null, operation: Operation, atMs: number) => State | null;
  summarize: (payload: Operation['payload']) => OperationSummary;
  /** True when a void can't give the operation up, because what it tells of is out of the house (SYNC-7). */
  isPermanent?: true;
}

/** The definitions of a noun's kinds. */
export type KindDefinitions<Payloads, State> = {
  [Kind in keyof Payloads & string]: KindDefinition<Envelope<Kind, Payloads[Kind]>, State>;
};

/** Returns the reducer of a noun: it applies any of the noun's operations by its kind. */
export function reducerOf<Payloads, State>(definitions: KindDefinitions<Payloads, State>) {
  return (state: State | null, operation: OperationsOf<Payloads>, atMs: number): State | null => {
    const definition = definitions[operation.kind] as unknown as KindDefinition<typeof operation, State>;
    return definition.apply(state, operation, atMs);
  };
}
