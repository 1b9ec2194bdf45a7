/** Popovers of the browser. Engines without them get a modal dialog that opens and closes with the same buttons. */

export const hasPopovers = (): boolean => 'popover' in HTMLElement.prototype;

/** Shows an element above all others. Where that is not possible, its styles place it. */
export function showPopover(element: HTMLElement | null): void {
  if (hasPopovers()) element?.showPopover();
}

export function hidePopover(element: HTMLElement | null): void {
  if (hasPopovers()) element?.hidePopover();
  else if (element instanceof HTMLDialogElement) element.close();
}

/** Returns true for a click on the ground behind a modal dialog, which is a click on the dialog outside of its box. */
function isBehind(dialog: HTMLDialogElement, { target, clientX, clientY }: MouseEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return target === dialog && !(clientX >= left && clientX <= right && clientY >= top && clientY <= bottom);
}

/** Opens and closes dialogs by the buttons that name them in `popovertarget`. @returns a function that stops this */
export function followPopoverButtons(): (() => void) | undefined {
  if (hasPopovers()) return undefined;
  const end = new AbortController();
  const follow = (click: MouseEvent) => {
    const button = (click.target as Element).closest('[popovertarget]');
    const dialog = button ? document.getElementById(button.getAttribute('popovertarget')!) : click.target;
    if (!(dialog instanceof HTMLDialogElement) || !dialog.hasAttribute('popover')) return;
    const closes = button
      ? dialog.open || button.getAttribute('popovertargetaction') === 'hide'
      : isBehind(dialog, click);
    if (closes) dialog.close();
    else if (button) dialog.showModal();
  };
  document.addEventListener('click', follow, { signal: end.signal });
  return () => end.abort();
}
