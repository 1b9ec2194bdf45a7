import type { ComponentType } from 'react';
import { loadLater } from '../ui/load-later.tsx';
import type { LoadedLater } from '../ui/load-later.tsx';

/** Loads a screen together with the back office's query cache, so that the counter carries neither. */
export function backOffice(
  load: () => Promise<ComponentType>,
  { gatherMs }: { gatherMs?: number } = {},
): LoadedLater<object> {
  return loadLater(async () => {
    const [{ ServerDataProvider }, Screen] = await Promise.all([
      import('../server-data/server-data-provider.tsx'),
      load(),
    ]);
    return () => (
      <ServerDataProvider gatherMs={gatherMs}>
        <Screen />
      </ServerDataProvider>
    );
  });
}
