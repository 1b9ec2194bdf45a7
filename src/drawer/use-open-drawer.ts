import { useTranslation } from 'react-i18next';
import { openDrawer } from '../db/commands/drawers.ts';
import { useWriteContext } from '../sync/use-write-context.ts';
import { toast } from '../ui/toaster.tsx';
import { useOnce } from '../ui/use-once.ts';

/** Opens a drawer of this device, once however often the button is tapped, and tells the person the outcome. */
export function useOpenDrawer(): {
  pending: boolean;
  /** Resolves to true when the drawer was opened, and to false when that was refused. */
  open: (floatMinor: number) => Promise<boolean>;
} {
  const { t } = useTranslation();
  const context = useWriteContext();
  const { pending, once } = useOnce();

  async function open(floatMinor: number): Promise<boolean> {
    const result = await openDrawer(context, { floatMinor });
    if (result.ok) toast({ tone: 'success', title: t('drawer.done.opened') });
    else toast({ tone: 'error', title: t('drawer.failed.open'), text: t(`errors.${result.refusal.code}`) });
    return result.ok;
  }

  return { pending, open: async (floatMinor) => (await once(() => open(floatMinor))) ?? false };
}
