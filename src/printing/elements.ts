/** Elements of printed documents. The print window has no framework, and its policy allows no inline styles. */
import type { PrintedRow } from '#domain/printed-row.ts';

export function element(
  document: Document,
  tag: string,
  className: string,
  ...content: (string | Node | undefined)[]
): HTMLElement {
  const made = document.createElement(tag);
  if (className) made.className = className;
  const [text] = content;
  if (content.length === 1 && typeof text === 'string') made.textContent = text;
  else if (content.length > 0) made.append(...content.filter((each) => each !== undefined));
  return made;
}

const isAmount = (text = ''): boolean => /,\d\d$/.test(text);

/** An amount in tabular figures, among which a minus would be as wide as a figure and seem to stand apart. */
export function amountElement(document: Document, tag: string, className: string, text = ''): HTMLElement {
  const [before = '', after] = text.split('-');
  if (after === undefined || !isAmount(text)) return element(document, tag, className, text);
  return element(document, tag, className, before, element(document, 'span', 'paper-sign', '-'), after);
}

export function rowElement(document: Document, { style, left, right }: PrintedRow): HTMLElement {
  if (style === 'rule') return element(document, 'hr', 'paper-rule');
  if (style === 'title') return element(document, 'h1', 'paper-title', left);
  const sided = right !== undefined || style === 'pair' || style === 'item' || style === 'total';
  if (!sided) return element(document, 'p', `paper-${style}`, left);
  const row = element(document, 'div', `paper-row paper-${style}`);
  row.append(
    element(document, 'span', '', left),
    amountElement(document, 'span', isAmount(right) ? 'paper-amount' : '', right),
  );
  return row;
}
