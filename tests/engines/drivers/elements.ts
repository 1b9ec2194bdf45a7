/** How a test names an element: by its role and its accessible name, as a person and a screen reader do. */
import { functionsOf } from './page-functions.ts';

export type Role = 'button' | 'link' | 'tab' | 'field' | 'heading' | 'dialog' | 'region' | 'row' | 'checkbox';

export interface Target {
  role: Role | null;
  /** Instead of a role. */
  selector?: string;
  /** The whole name, or a pattern. Any name if omitted. */
  name?: string | RegExp;
  /** Of the elements found, counted from 0. Negative numbers count from the end. */
  nth?: number;
  within?: Target;
}

type Name = string | RegExp;

const named =
  (role: Role) =>
  (name: Name, within?: Target): Target => ({ role, name, ...(within && { within }) });

export const button = named('button');
export const link = named('link');
export const tabNamed = named('tab');
export const field = named('field');
export const heading = named('heading');
export const dialog = named('dialog');
export const region = named('region');
export const row = named('row');
export const checkbox = named('checkbox');
export const css = (selector: string, within?: Target): Target => ({
  role: null,
  selector,
  ...(within && { within }),
});
export const last = (target: Target): Target => ({ ...target, nth: -1 });

/** Describes a target in a message. */
export function describe({ role, selector, name, within }: Target): string {
  const own = `${role ?? selector} ${name === undefined ? '' : String(name)}`.trim();
  return within ? `${own} in ${describe(within)}` : own;
}

/** A target as it travels to the page, where a pattern is two strings. */
export interface SentTarget {
  selector: string;
  name: { text: string } | { source: string; flags: string } | null;
  nth: number;
  within: SentTarget | null;
}

const selectors: Record<Role, string> = {
  button: 'button, [role=button], [role=menuitem], summary',
  link: 'a[href]',
  tab: '[role=tab]',
  field: 'input, textarea, select',
  heading: 'h1, h2, h3, h4, [role=heading]',
  dialog: 'dialog, [role=dialog], [role=alertdialog]',
  region: 'section, [role=region]',
  row: 'tr, [role=row]',
  checkbox: 'input[type=checkbox], [role=checkbox]',
};

export const sent = ({ role, selector, name, nth = 0, within }: Target): SentTarget => ({
  selector: role ? selectors[role] : selector!,
  name:
    name === undefined
      ? null
      : typeof name === 'string'
        ? { text: name }
        : { source: name.source, flags: name.flags.replace('g', '') },
  nth,
  within: within ? sent(within) : null,
});

/** Returns the element of a target, or null. Runs in the page. */
function elementOf(target: SentTarget): Element | null {
  const root = target.within ? elementOf(target.within) : document;
  const { name, nth } = target;
  const pattern = name && 'source' in name ? new RegExp(name.source, name.flags) : null;
  const matches = (element: Element): boolean => {
    if (!name) return true;
    const own = nameOf(element);
    return pattern ? pattern.test(own) : 'text' in name && own === name.text;
  };
  const found = [...(root?.querySelectorAll(target.selector) ?? [])].filter(isShown).filter(matches);
  return found.at(nth) ?? null;
}

/** A checkbox that a label draws is tiny or transparent, and a person sees its label. */
function isShown(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
}

/** Returns the accessible name, by the sources that this app uses. */
function nameOf(element: Element): string {
  const byIds = (attribute: string) =>
    (element.getAttribute(attribute) ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
  const content = () => {
    const copy = element.cloneNode(true) as Element;
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    return copy.textContent;
  };
  const labels = (element as HTMLInputElement).labels;
  const sources = [
    byIds('aria-labelledby'),
    element.getAttribute('aria-label'),
    labels && [...labels].map((label) => label.textContent).join(' '),
    content(),
    element.getAttribute('title'),
    element.getAttribute('placeholder'),
  ];
  const source = sources.find((text) => text?.trim()) ?? '';
  return source.trim().replace(/\s+/g, ' ');
}

/** Where to tap an element, or why nobody can tap it now. */
export type TapPoint = { x: number; y: number } | { reason: string };

/** Scrolls an element into view and waits until it stands still. Runs in the page. */
async function tapPointOf(target: SentTarget): Promise<TapPoint> {
  const element = elementOf(target);
  if (!element) return { reason: 'it is not shown' };
  if (element.matches(':disabled, [aria-disabled=true]')) return { reason: 'it is disabled' };
  // A part of the page that scrolls by itself may end above it.
  if (!isInWindow(element) || !isOn(element, hitOf(element).part))
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const before = element.getBoundingClientRect();
  await new Promise((resolve) => setTimeout(resolve, 40));
  const { left, top, width } = element.getBoundingClientRect();
  if (before.left !== left || before.top !== top || before.width !== width) return { reason: 'it moves' };
  const { x, y, part } = hitOf(element);
  if (!isOn(element, part)) return { reason: `${part ? part.outerHTML.slice(0, 120) : 'nothing'} is in front of it` };
  watchTap((tapped) => isOn(element, tapped));
  return { x, y };
}

function isInWindow(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
}

/** Returns the middle of what shows of an element, and what is in front there. */
function hitOf(element: Element): { x: number; y: number; part: Element | null } {
  const { left, top, width, height } = element.getBoundingClientRect();
  const x = Math.floor(left + width / 2);
  const y = Math.floor(top + Math.min(height / 2, innerHeight - 1 - top));
  return { x, y, part: document.elementFromPoint(x, y) };
}

/** Whether a part of the page belongs to an element or to its label. */
function isOn(element: Element, part: Element | null): boolean {
  return element.contains(part) || part?.closest('label')?.control === element;
}

interface TapWatch {
  hasMissed: boolean;
  end: () => void;
}

function watched(): { tapWatch?: TapWatch } {
  return globalThis as { tapWatch?: TapWatch };
}

/**
 * Keeps the next tap from anything but its element, which may move before the driver gets there. `didTapMiss` tells so then.
 * Runs in the page.
 */
function watchTap(isMeant: (target: Element) => boolean): void {
  watched().tapWatch?.end();
  const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
  const watch: TapWatch = {
    hasMissed: false,
    end: () => types.forEach((type) => removeEventListener(type, judge, true)),
  };
  function judge(event: Event): void {
    if (event.type === 'pointerdown') watch.hasMissed = !isMeant(event.target as Element);
    if (watch.hasMissed) {
      event.stopImmediatePropagation();
      event.preventDefault();
    }
    if (event.type === 'click') watch.end();
  }
  for (const type of types) addEventListener(type, judge, true);
  watched().tapWatch = watch;
}

function didTapMiss(): boolean {
  return watched().tapWatch?.hasMissed === true;
}

/** Gives a field the focus and selects its text, so that typing replaces it. Runs in the page. */
function selectText(target: SentTarget): void {
  const element = elementOf(target) as HTMLInputElement;
  element.focus();
  element.select?.();
}

/** Chooses a value of a native list, or gives a date field a date, whose own controls no driver reaches. Runs in the page. */
function setValue(target: SentTarget, value: string): void {
  const element = elementOf(target) as HTMLInputElement | HTMLSelectElement;
  const prototype = element instanceof HTMLSelectElement ? HTMLSelectElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')!.set!.call(element, value);
  for (const event of ['input', 'change']) element.dispatchEvent(new Event(event, { bubbles: true }));
}

function valueOf(target: SentTarget): string | null {
  return (elementOf(target) as HTMLInputElement | null)?.value ?? null;
}

function textOf(target: SentTarget): string | null {
  return (elementOf(target) as HTMLElement | null)?.innerText ?? null;
}

function isThere(target: SentTarget): boolean {
  return elementOf(target) !== null;
}

/** The functions of this file as they run in a page. */
export const inPage = functionsOf({
  elementOf,
  isShown,
  nameOf,
  tapPointOf,
  isInWindow,
  hitOf,
  isOn,
  watched,
  watchTap,
  didTapMiss,
  selectText,
  setValue,
  valueOf,
  textOf,
  isThere,
});
