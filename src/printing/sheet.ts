/** A document on sheets of A4: a head, the parties, a table, sums, and a foot with the number of the page. */
import type { PrintedRow, RowPart } from '#domain/printed-row.ts';
import { amountElement, element, rowElement } from './elements.ts';
import { intoSheets } from './pages.ts';
import type { Piece } from './pages.ts';

export interface SheetContent {
  title: string;
  rows: readonly PrintedRow[];
  copyWord: string | null;
  logo: HTMLElement | null;
  codeImage: (text: string) => Element;
}

/** Fills a paper with one sheet of any length, which `layOutSheets` then divides. */
export function fillSheet(document: Document, paper: HTMLElement, content: SheetContent): void {
  const { rows, title } = content;
  const build = builder(document, content);
  const practice = rows.find(({ part, style }) => part === 'practice' && style === 'title')?.left;
  const body = element(
    document,
    'div',
    'sheet-body',
    build.head(),
    element(document, 'hr', 'paper-rule'),
    build.facts(),
    ...build.main(),
    build.end(),
  );
  const foot = element(
    document,
    'div',
    'sheet-foot',
    element(document, 'span', '', [practice, title].filter(Boolean).join(' · ')),
    element(document, 'span', 'sheet-number'),
  );
  paper.append(element(document, 'section', 'sheet', body, foot));
}

/** Letters of a practice's name that would take more than two lines in the size of a title. */
const longName = 40;

function builder(document: Document, { rows, copyWord, logo, codeImage }: SheetContent) {
  const make = (tag: string, className: string, ...content: (string | Node | undefined)[]) =>
    element(document, tag, className, ...content);
  const of = (part: RowPart) => rows.filter((row) => row.part === part);
  const written = (row: PrintedRow) => rowElement(document, row);
  const practiceName = (name: string) =>
    make('p', name.length > longName ? 'sheet-practice sheet-practice-long' : 'sheet-practice', name);
  const labelled = ({ left, right }: PrintedRow) => make('div', '', make('dt', '', left), make('dd', '', right));

  const table = (tableRows: PrintedRow[]): HTMLElement => {
    const [head, ...lines] = tableRows.filter(({ cells }) => cells);
    const line = (cells: string[], tag: string, className = '') =>
      make(
        'tr',
        className,
        ...cells.map((cell, at) =>
          at === 0 ? make(tag, 'sheet-name', cell) : amountElement(document, tag, 'sheet-cell', cell),
        ),
      );
    const bodyLines = lines.map((row) => line(row.cells!, 'td', row.style === 'total' ? 'sheet-sum' : ''));
    return make('table', 'sheet-table', make('thead', '', line(head!.cells!, 'th')), make('tbody', '', ...bodyLines));
  };
  /** The practice is named once: here, or in the place of its logo. */
  const parties = (): HTMLElement[] => {
    const lines = of('practice')
      .filter(({ style }) => style !== 'title' || logo !== null)
      .map(({ left, style }) => make('p', style === 'title' ? 'sheet-party' : '', left));
    const recipient = of('recipient').map(labelled);
    return [
      make('div', 'sheet-practice-lines', ...lines),
      make(recipient.length > 0 ? 'dl' : 'div', 'sheet-recipient', ...recipient),
    ];
  };
  /** Beside the sums stand the taxes; a report without sums has them in its text. */
  const hasSums = of('sums').length > 0;
  const texts = (part: RowPart): HTMLElement[] => of(part).map((row) => make('p', `sheet-${part}`, row.left));
  const hasTable = (some: PrintedRow[]) => some.some(({ style }) => style === 'head');
  const isTable = ({ part, style }: PrintedRow) =>
    style === 'head' && (part === 'table' || (part === 'taxes' && !hasSums));

  return {
    head(): HTMLElement {
      const name = of('practice').find(({ style }) => style === 'title');
      const titles = of('title').map(written);
      const code = of('code').map((row) => (row.style === 'qr' ? codeImage(row.left ?? '') : written(row)));
      return make(
        'header',
        code.length > 0 ? 'sheet-head sheet-coded' : 'sheet-head',
        make('div', 'sheet-brand', logo ?? (name && practiceName(name.left ?? ''))),
        make('div', 'sheet-titles', copyWord ? make('p', 'paper-copy', copyWord) : undefined, ...titles),
        code.length > 0 ? make('div', 'sheet-code', ...code) : undefined,
        ...parties(),
      );
    },
    facts: () => {
      const facts = of('facts').map(labelled);
      return facts.length === 0 ? undefined : make('dl', 'sheet-facts', ...facts);
    },
    /** What stands between the head and the sums, in the order of the rows. */
    main(): HTMLElement[] {
      const main: HTMLElement[] = [];
      let begins = true;
      rows.forEach((row, at) => {
        if (isTable(row)) {
          const end = rows.findIndex(({ part, style }, next) => next > at && (part !== row.part || style === 'head'));
          main.push(table(rows.slice(at, end < 0 ? rows.length : end)));
        } else if (row.part === undefined && row.style !== 'rule') {
          const isAlone = begins && row.style === 'text';
          const isRemark = rows[at + 1]?.style === 'rule';
          main.push(
            isAlone ? make(isRemark ? 'p' : 'h2', isRemark ? 'sheet-remark' : 'sheet-section', row.left) : written(row),
          );
        }
        begins = row.style === 'rule';
      });
      return main;
    },
    /** The sums, and what is said below them. */
    end(): HTMLElement | undefined {
      const taxes = hasSums ? of('taxes') : [];
      const left = [...(hasTable(taxes) ? [table(taxes)] : taxes.map(written)), ...of('payments').map(written)];
      const sums = of('sums').map(written);
      const said = [...texts('notes'), ...texts('footer')];
      if (left.length + sums.length + said.length === 0) return undefined;
      const closing = make(
        'div',
        'sheet-closing',
        make('div', 'sheet-taxes', ...left),
        make('div', 'sheet-sums', ...sums),
      );
      return make('div', 'sheet-end', left.length + sums.length > 0 ? closing : undefined, ...said);
    },
  };
}

/** Divides the sheet of a paper into sheets of the size of the page. The paper must be in its document, with its styles. */
export function layOutSheets(paper: HTMLElement): void {
  if (paper.dataset['width'] !== 'A4') return;
  const sheet = paper.querySelector<HTMLElement>('.sheet');
  const body = sheet?.querySelector<HTMLElement>('.sheet-body');
  if (!sheet || !body) return;
  const { elements, pieces } = measured(body);
  sheet.classList.add('sheet-whole');
  const room = body.getBoundingClientRect().height;
  const sheets = intoSheets(pieces, room);
  const made = sheets.map((places, at) => {
    const page = sheet.cloneNode(true) as HTMLElement;
    const pageBody = page.querySelector('.sheet-body')!;
    pageBody.replaceChildren();
    for (const place of places) putPiece(pageBody, elements[place]!);
    page.querySelector('.sheet-number')!.textContent = `${at + 1} / ${sheets.length}`;
    return page;
  });
  paper.replaceChildren(...made);
}

/** Returns the pieces of a sheet: its blocks, and instead of a table of the document its rows. */
function measured(body: HTMLElement): { elements: HTMLElement[]; pieces: Piece[] } {
  const origin = body.getBoundingClientRect().top;
  const elements: HTMLElement[] = [];
  const pieces: Piece[] = [];
  const add = (piece: HTMLElement, { head = 0, above = 0 } = {}) => {
    const { top, bottom } = piece.getBoundingClientRect();
    elements.push(piece);
    pieces.push({
      top: top - origin - above,
      bottom: bottom - origin,
      head,
      // The sums, and what a title is above.
      isClosing: piece.matches('.sheet-end, .sheet-section + *'),
    });
  };
  for (const child of body.children as HTMLCollectionOf<HTMLElement>) {
    if (child.tagName !== 'TABLE') {
      add(child);
      continue;
    }
    const head = child.querySelector('thead')!.getBoundingClientRect().height;
    // The first row brings the head with it.
    child
      .querySelectorAll<HTMLElement>('tbody > tr')
      .forEach((row, at) => add(row, at === 0 ? { head: 0, above: head } : { head }));
  }
  return { elements, pieces };
}

/** The table of the document that a table of a sheet is a part of. */
const dividedTables = new WeakMap<Element, Element>();

/** Puts a piece at the end of a sheet; a row goes into a table with the head of its own. */
function putPiece(body: Element, piece: HTMLElement): void {
  const table = piece.tagName === 'TR' ? piece.closest('table') : null;
  if (!table) {
    body.append(piece);
    return;
  }
  const last = body.lastElementChild;
  if (last && dividedTables.get(last) === table) {
    last.querySelector('tbody')!.append(piece);
    return;
  }
  const copy = table.cloneNode(true) as HTMLElement;
  dividedTables.set(copy, table);
  copy.querySelector('tbody')!.replaceChildren();
  body.append(copy);
  copy.querySelector('tbody')!.append(piece);
}
