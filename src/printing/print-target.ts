/**
 * Prints a document in its own window, or in `#print-root` of the app where windows are blocked or missing. It uses no iframe,
 * because iOS would print the whole app. The app's content security policy also applies in the window, so its style sheets
 * are constructed ones.
 */
import { betweenTransactions } from '../local-data/transactions.ts';
import { isInstalled, isIos } from '../ui/home-screen.ts';
import { documentElement, pageRule } from './document-element.ts';
import { layOutSheets } from './sheet.ts';
import { loadTypeface } from './typeface.ts';
import type { PrintContent } from './document-element.ts';
import paperStyles from './print.css?inline';

export interface PrintTarget {
  /**
   * Renders the document and prints it; the page must stay open until then. Rejects if the document can't be rendered;
   * a failure to print is only logged.
   *
   * @param closes closes the document's own window after printing
   */
  print(content: PrintContent, options?: { closes?: boolean }): Promise<void>;
  /** Closes the window without printing. */
  discard(): void;
}

/** Delay from the window to the print dialog, which gives slow printer drivers a finished page. */
const printDelayMs = 500;
/** Additional time after which the app stops waiting for the dialog: its window may have been closed. */
const printTimeoutMs = 2000;
/** Opening a window and printing wait this long for the transactions of the page. */
const storageMs = 2000;
const rootId = 'print-root';
/** Class of a page that prints a document in place of itself. */
const printsDocument = 'prints-document';

/** WebKit allows a window only while the tap is being handled; other engines for five seconds after it. */
const tapLasts = !navigator.vendor.startsWith('Apple');

/** On iOS an app on the home screen has no windows of its own: a new one opens over it and stays there, empty. */
const hasWindows = () => !(isIos() && isInstalled());

/**
 * Opens a print target for what is stored already. Call it in the tap's handler, before anything is awaited, or the browser
 * blocks the window. A command that runs beside it may lose its transaction in Firefox: see `withPrintTarget`.
 */
export const openPrintTarget = (): PrintTarget => (tapLasts ? openAfter(Promise.resolve()) : openNow());

function openNow(): PrintTarget {
  const openedAtMs = performance.now();
  const popup = hasWindows() ? window.open('', 'invoice', 'popup,width=460,height=760') : null;
  return popup ? windowTarget(popup, openedAtMs) : pageTarget(openedAtMs);
}

/**
 * Runs work that creates a document, and returns its result with the target to print it on. Call it in the tap's handler.
 * Opening a window blocks the page for longer than a whole sale, so browsers that allow it open the window after the sale
 * is stored and shown, and not at all if the work is refused.
 */
export async function withPrintTarget<Output>(
  work: () => Promise<Output>,
): Promise<{ target: PrintTarget; result: Output }> {
  const opened = tapLasts ? null : openNow();
  const working = work();
  const target = opened ?? openAfter(working.then(nextPaint, () => undefined));
  try {
    return { target, result: await working };
  } catch (error) {
    target.discard();
    throw error;
  }
}

function openAfter(work: Promise<unknown>): PrintTarget {
  let wanted = true;
  const opened = work.then(() => betweenTransactions(() => (wanted ? openNow() : null), storageMs));
  return {
    print: async (content, options) => (await opened)?.print(content, options),
    discard: () => {
      wanted = false;
      void opened.then((target) => target?.discard());
    },
  };
}

/** Resolves after the next paint. */
const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Removes a document that was printed inside the app, so that it does not print instead of another page. */
export function removePrintedDocument(): void {
  document.getElementById(rootId)?.remove();
  document.documentElement.classList.remove(printsDocument);
  const sheets = Object.values(sheetsOf.get(document) ?? {});
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.includes(sheet));
  sheetsOf.delete(document);
}

function windowTarget(popup: Window, openedAtMs: number): PrintTarget {
  return {
    print: async (content, { closes = false } = {}) => {
      const { document } = popup;
      // iPadOS does not hold the page while its print dialog is open, so the event says nothing there.
      if (closes && !isIos()) popup.addEventListener('afterprint', () => popup.close(), { once: true });
      document.documentElement.lang = content.language;
      document.title = content.title;
      document.documentElement.className = 'paper-page';
      document.body.className = 'paper-window';
      const [paper] = await Promise.all([documentElement(document, content), loadTypeface(document, content.rows)]);
      document.body.replaceChildren(paper);
      const setPageSize = styleDocument(document);
      layOutSheets(paper);
      setPageSize(pageRule(content.width, paper.getBoundingClientRect().height));
      await printLater(popup, openedAtMs);
      // Who comes back to the app has printed, also where no event has said so.
      if (closes) window.addEventListener('focus', () => popup.close(), { once: true });
    },
    discard: () => popup.close(),
  };
}

function pageTarget(openedAtMs: number): PrintTarget {
  return {
    print: async (content) => {
      removePrintedDocument();
      const root = document.createElement('div');
      root.id = rootId;
      root.lang = content.language;
      // For print only: screen readers find the same content in the app.
      root.setAttribute('aria-hidden', 'true');
      const [paper] = await Promise.all([documentElement(document, content), loadTypeface(document, content.rows)]);
      root.append(paper);
      const setPageSize = styleDocument(document);
      document.body.append(root);
      layOutSheets(paper);
      document.documentElement.classList.add(printsDocument);
      setPageSize(pageRule(content.width, paper.getBoundingClientRect().height));
      await printLater(window, openedAtMs);
    },
    discard: () => undefined,
  };
}

const sheetsOf = new WeakMap<Document, { paper: CSSStyleSheet; page: CSSStyleSheet }>();

/**
 * Gives a document the styles of the paper and the size of its page. The styles are part of the program: a window without an
 * address has no service worker, so it could load nothing without a network.
 */
function styleDocument(document: Document): (pageSize: string) => void {
  let sheets = sheetsOf.get(document);
  if (!sheets) {
    // A document adopts only style sheets that its own window constructed.
    const { CSSStyleSheet: Sheet } = document.defaultView as unknown as { CSSStyleSheet: typeof CSSStyleSheet };
    sheets = { paper: new Sheet(), page: new Sheet() };
    sheetsOf.set(document, sheets);
    sheets.paper.replaceSync(paperStyles);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheets.paper, sheets.page];
  }
  const { page } = sheets;
  return (pageSize) => page.replaceSync(pageSize);
}

async function printLater(target: Window, openedAtMs: number): Promise<void> {
  const waitMs = Math.max(0, printDelayMs - (performance.now() - openedAtMs));
  const print = (): void => {
    // Somebody who closes the window does not want the paper.
    if (target.closed) return;
    try {
      target.focus();
      target.print();
    } catch (error) {
      // Firefox handles other events before it prints, the end of the window too, and then finds nothing to print.
      if (!target.closed) console.error('The paper could not be printed.', error);
    }
  };
  await new Promise<void>((resolve) => {
    target.setTimeout(() => void betweenTransactions(print, storageMs).finally(resolve), waitMs);
    window.setTimeout(resolve, waitMs + printTimeoutMs);
  });
}
