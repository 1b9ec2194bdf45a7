/** Reads of the clinic's settings and devices, and what a write of them reloads. */
import type { DeviceResource, SessionResource } from '#domain/protocol/sync.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { UploadSpace } from '#domain/uploads.ts';
import type { Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

export const useStoredSettings = () => useServerData<Reply<ClinicSettings>>('settings');

/** Reads what files take of the clinic's storage. */
export const useUploadSpace = () => useServerData<Reply<UploadSpace>>('storage');

export const useDevices = () => useServerData<Reply<DeviceResource[]>>('devices');

/** Reads who is signed in, and where. */
export const useSessions = () => useServerData<Reply<SessionResource[]>>('sessions');

/** Reads whether the clinic is a demo, in which nothing reaches the tax agency. */
export const useIsDemo = (): boolean =>
  useServerData<Reply<{ demo: boolean }>>('session-options').value?.data.demo ?? false;

export const settingsPaths = ['settings'];
export const devicePaths = ['devices', 'sessions'];
