/** What screens show of attention items, devices and sessions, on which a decision rests. */
import type { AttentionResource, DeviceResource, SessionResource } from './sync.ts';

export const attentionSeen = ['kind', 'details', 'settled_at'] as const satisfies readonly (keyof AttentionResource)[];

/** A device that works is heard of all the time; that it sells tells that it is not lost. */
export const deviceSeen = [
  'name',
  'code',
  'waiting',
  'last_sale_at',
  'lock_asked_at',
  'revoked',
] as const satisfies readonly (keyof DeviceResource)[];

export const sessionSeen = ['user', 'device'] as const satisfies readonly (keyof SessionResource)[];
