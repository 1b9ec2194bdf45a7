import type { ComponentType } from 'react';
import { loadLater } from '../ui/load-later.tsx';
import type { LoadedLater } from '../ui/load-later.tsx';

/** Loads a screen together with the provider of server data, so that the counter loads neither. */
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
