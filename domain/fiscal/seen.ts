import type { RecordResource } from './resources.ts';

/** What a screen shows of a fiscal record, on which a decision rests. The record itself never changes. */
export const recordSeen = [
  'state',
  'held_for',
  'code',
  'message',
  'is_correctable',
  'is_annullable',
] as const satisfies readonly (keyof RecordResource)[];
