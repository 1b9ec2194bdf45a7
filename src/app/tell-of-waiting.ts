import i18next from 'i18next';
import { syncRow } from '../db/singletons.ts';
import { db } from '../local-data/database.ts';
import { useWaiting } from '../session/waiting.ts';
import { toast } from '../ui/toaster.tsx';

/** Says on the screen that a request waits for the server. Of a server that is known to be away the screen tells already. */
export function tellOfWaiting(): void {
  let takeBack: (() => void) | null = null;
  async function follow(): Promise<void> {
    const isAway = (await syncRow(db).catch(() => null))?.link === 'offline';
    const waits = useWaiting.getState().count > 0 && !isAway;
    if (waits)
      takeBack ??= toast({
        tone: 'info',
        title: i18next.t('app.waiting.title'),
        text: i18next.t('app.waiting.text'),
        stays: true,
      });
    if (waits) return;
    takeBack?.();
    takeBack = null;
  }
  useWaiting.subscribe(() => void follow());
  void follow();
}
