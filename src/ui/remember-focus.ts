/**
 * Remembers what has the focus before a dialog opens. The browser gives it back only if the dialog is still in the page when it
 * closes; those that leave with their content would leave it to nobody.
 *
 * @returns a function for the time after the dialog, which does nothing if something else has the focus
 */
export function rememberFocus(): () => void {
  const before = document.activeElement;
  return () => {
    if (document.activeElement !== document.body || !(before instanceof HTMLElement) || !before.isConnected) return;
    before.focus({ preventScroll: true });
  };
}
