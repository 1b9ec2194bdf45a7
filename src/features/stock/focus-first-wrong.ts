/** Leads to the first field of a form that is wrong: also to one of its lines, which the form's rules judge together. */
export function focusFirstWrong(formId: string): void {
  // Once what is wrong shows.
  requestAnimationFrame(() => document.getElementById(formId)?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
}
