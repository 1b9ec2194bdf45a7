/** A form of many fields takes this long to draw its errors on a slow tablet. */
const longestFrames = 30;

/** Focuses the first invalid field of a form, once its errors have rendered, so that it is in sight. */
export function focusFirstWrong(form: HTMLElement | null, frames = longestFrames): void {
  requestAnimationFrame(() => {
    const wrong = form?.querySelector<HTMLElement>('[aria-invalid=true]');
    if (wrong) wrong.focus();
    else if (form?.isConnected && frames > 1) focusFirstWrong(form, frames - 1);
  });
}
