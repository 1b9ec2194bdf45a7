import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '#src/ui/toaster.tsx';
import { usePlan } from '../plan-store.ts';

export function useRemoveLine(): (itemKey: string, name: string) => void {
  const { t } = useTranslation();
  return useCallback(
    (itemKey, name) => {
      const { removeLine, restoreLine } = usePlan.getState();
      const removed = removeLine(itemKey);
      if (!removed) return;
      toast({
        tone: 'info',
        title: t('counter.plan.removed', { name }),
        action: { label: t('counter.plan.undo'), onClick: () => restoreLine(removed) },
      });
    },
    [t],
  );
}
