/** A ref that brings an element into view once it is there, from wherever on the page somebody has caused it. */
export function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
