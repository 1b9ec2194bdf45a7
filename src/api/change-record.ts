/** The one way in which the desk changes a record: what changes, with what its screen showed of it. */
import { seenOf } from '#domain/seen.ts';
import type { Seen } from '#domain/seen.ts';
import { callServer } from './client.ts';

export interface RecordChange {
  changes: Readonly<Record<string, unknown>>;
  /** What was shown of the fields that change. The server refuses the change if that is not what is stored. */
  seen: Seen;
}

/** Returns a change of what a screen shows. */
export const changeOf = (shown: object, changes: RecordChange['changes']): RecordChange => ({
  changes,
  seen: seenOf(shown as Seen, Object.keys(changes)),
});

/** Sends a change of a record. Throws `CallFailed`. */
export const changeRecord = <Output>(
  path: string,
  { changes, seen }: RecordChange,
  headers: Record<string, string>,
  method: 'put' | 'patch' = 'put',
): Promise<Output> => callServer<Output>(method, path, { ...changes, seen }, headers);
