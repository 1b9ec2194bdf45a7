import { useLayoutEffect } from 'react';
import type { RefObject } from 'react';

/**
 * Shows a modal dialog while `isShown`. A layout effect, because only a visible field can take the focus in the effects of the
 * content, and only a dialog that is still in the page gives the focus back.
 */
export function useModal(element: RefObject<HTMLDialogElement | null>, isShown = true): void {
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!isShown || !dialog) return;
    dialog.showModal();
    return () => dialog.close();
  }, [element, isShown]);
}
