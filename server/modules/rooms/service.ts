/**
 * Rooms. The domain makes every decision before anything is written. All writes of a clinic's rooms share one lock (see
 * `routes.ts`), so two rooms cannot get the same number.
 */
import { isValid, problemMessages } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { blankRoom, roomProblems } from '#domain/room/draft.ts';
import type { RoomDraft } from '#domain/room/draft.ts';
import type { RoomResource } from '#domain/room/resources.ts';
import { decideRemoval, decideStatus } from '#domain/room/room.ts';
import type { RoomState, RoomStatus } from '#domain/room/room.ts';
import { searchKey } from '#domain/search-key.ts';
import { withChanges } from '#server/partial-update.ts';
import { audit, changedFields } from '../audit/service.ts';
import type { WriteContext } from '#server/context.ts';
import { hideRoom, insertRoom, loadRoom, replaceRoom, roomStatuses } from './store.ts';

export { feedRooms, loadRoom } from './store.ts';

/** The fields of a room; missing ones stay unchanged. */
export interface RoomBody extends Partial<{ [Field in keyof RoomDraft]: RoomDraft[Field] | undefined }> {
  status?: RoomStatus | undefined;
}

const free: RoomState = { isOccupied: false, treatments: 0 };

const stateOf = ({ is_occupied, orders }: RoomResource): RoomState => ({
  isOccupied: is_occupied,
  treatments: orders.length,
});
const draftOf = ({ number, capacity, location }: RoomResource): RoomDraft => ({ number, capacity, location });

/** Validates a draft and checks that no other room has its number. */
async function complete(
  { sql, clinicId }: WriteContext,
  draft: RoomDraft,
  ownId: number | null,
): Promise<Result<RoomDraft>> {
  const problems = roomProblems(draft);
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  const number = draft.number.trim();
  const others = (await roomStatuses(sql, clinicId)).filter(({ id }) => id !== ownId);
  if (others.some((other) => searchKey(other.number) === searchKey(number))) return refuse('ROOM_EXISTS', { number });
  return accept({ ...draft, number, location: draft.location.trim() });
}

export async function createRoom(context: WriteContext, body: RoomBody): Promise<Result<RoomResource>> {
  const { sql, clinicId, atMs } = context;
  const draft = await complete(context, withChanges(blankRoom, body), null);
  if (!draft.ok) return draft;
  const isOccupied = decideStatus(free, body.status ?? 'available');
  if (!isOccupied.ok) return isOccupied;
  const id = await insertRoom(sql, clinicId, atMs, { ...draft.value, isOccupied: isOccupied.value });
  await audit(context, { action: 'room.created', subject: String(id), details: { ...draft.value } });
  return accept((await loadRoom(sql, clinicId, id))!);
}

export async function changeRoom(context: WriteContext, id: number, body: RoomBody): Promise<Result<RoomResource>> {
  const { sql, clinicId, atMs } = context;
  const before = await loadRoom(sql, clinicId, id);
  if (!before) return refuse('ROOM_NOT_FOUND');
  const draft = await complete(context, withChanges(draftOf(before), body), id);
  if (!draft.ok) return draft;
  const isOccupied = decideStatus(stateOf(before), body.status ?? before.status);
  if (!isOccupied.ok) return isOccupied;
  await replaceRoom(sql, clinicId, id, { ...draft.value, isOccupied: isOccupied.value, atMs });
  const after = (await loadRoom(sql, clinicId, id))!;
  const said = (room: RoomResource) => ({ ...draftOf(room), is_occupied: room.is_occupied });
  await audit(context, {
    action: 'room.changed',
    subject: String(id),
    details: changedFields(said(before), said(after)),
  });
  return accept(after);
}

export async function deleteRoom(context: WriteContext, id: number): Promise<Result<{ id: number }>> {
  const { sql, clinicId, atMs } = context;
  const before = await loadRoom(sql, clinicId, id);
  if (!before) return refuse('ROOM_NOT_FOUND');
  const agreed = decideRemoval(stateOf(before));
  if (!agreed.ok) return agreed;
  await hideRoom(sql, clinicId, id, atMs);
  await audit(context, { action: 'room.deleted', subject: String(id), details: { number: before.number } });
  return accept({ id });
}
