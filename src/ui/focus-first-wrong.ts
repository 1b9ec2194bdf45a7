/** Focuses the first invalid field of a form, once its errors have rendered, so that it is in sight. */
export function focusFirstWrong(form: HTMLElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}
