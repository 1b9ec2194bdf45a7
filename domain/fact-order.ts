/**
 * The order of facts that give one thing another value (SYNC-11): of several, the last one applies. A device's own facts
 * stand in the order of its sequence, whatever its clock says; between devices time decides, then the device, then the
 * sequence.
 *
 * So that both rules give one order, a fact never comes before an earlier one of its device: where the clock was set
 * back in between, it takes the time of the earlier one. The time is fixed when the fact arrives. The operations of a device on one
 * aggregate arrive in their order (SYNC-5), so the order of arrival between devices does not matter.
 */

import type { Envelope } from './wire/envelope.ts';

/** The place of a fact among others. */
export interface FactPlace {
  /** Milliseconds since 1970. */
  atMs: number;
  deviceId: number;
  /**
   * 0 where time alone decides the place: for a call over REST, whose time is the server's, and for an operation that
   * replaces a refused one and keeps its time.
   */
  deviceSeq: number;
}

/** @param atMs when the operation took effect (milliseconds, see `effectiveAt`) */
export const placeOf = (
  {
    device_id: deviceId,
    device_seq,
    supersedes,
  }: Pick<Envelope<string, unknown>, 'device_id' | 'device_seq' | 'supersedes'>,
  atMs: number,
): FactPlace => ({ atMs, deviceId, deviceSeq: supersedes === undefined ? device_seq : 0 });

/** Negative when `a` comes before `b`; 0 when neither does. */
export const comparePlaces = (a: FactPlace, b: FactPlace): number =>
  a.atMs - b.atMs || a.deviceId - b.deviceId || a.deviceSeq - b.deviceSeq;

/** Returns the place of a fact that arrives after others, with a time between its device's earlier and later ones. */
export function placeAmong({ atMs, deviceId, deviceSeq }: FactPlace, others: readonly FactPlace[]): FactPlace {
  const own = deviceSeq === 0 ? [] : others.filter((each) => each.deviceId === deviceId && each.deviceSeq > 0);
  const before = own.filter((each) => each.deviceSeq < deviceSeq).map((each) => each.atMs);
  const after = own.filter((each) => each.deviceSeq > deviceSeq).map((each) => each.atMs);
  return { atMs: Math.min(Math.max(atMs, ...before), ...after), deviceId, deviceSeq };
}

/**
 * Returns facts without times to come, which a clock has given that was wrong. Each takes the time of the last true one: it
 * comes after all that was there, and before all that follows.
 *
 * @param latestMs the latest time that a fact can have
 */
export function withoutTimesToCome<Fact extends FactPlace>(facts: readonly Fact[], latestMs: number): readonly Fact[] {
  if (facts.every(({ atMs }) => atMs <= latestMs)) return facts;
  const lastMs = Math.max(0, ...facts.map(({ atMs }) => atMs).filter((atMs) => atMs <= latestMs));
  return facts.map((fact) => (fact.atMs <= latestMs ? fact : { ...fact, atMs: lastMs }));
}
