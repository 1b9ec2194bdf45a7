/**
 * Prints a document in its own window, or in `#print-root` of the app where windows are blocked or missing. It uses no iframe,
 * because iOS would print the whole app. The app's content security policy also applies in the window, so its style sheets
 * are constructed ones.
 */
import { isInstalled, isIos } from '../ui/home-screen.ts';
import { documentElement, pageRule } from './document-element.ts';
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
/** Latest opening of the window after the tap. Every browser with a time limit allows this much. */
const latestOpeningMs = 1000;
const rootId = 'print-root';
/** Class of a page that prints a document in place of itself. */
const printsDocument = 'prints-document';

/** Chromium allows a window for some seconds after a tap; other engines only while the tap is being handled. */
const tapLasts = 'userAgentData' in navigator;

/** On iOS an app on the home screen has no windows of its own: a new one opens over it and stays there, empty. */
const hasWindows = () => !(isIos() && isInstalled());

/** Opens a print target. Call it in the tap's handler, before anything is awaited, or the browser blocks the window. */
export function openPrintTarget(): PrintTarget {
  const openedAtMs = performance.now();
  const popup = hasWindows() ? window.open('', 'invoice', 'popup,width=460,height=760') : null;
  return popup ? windowTarget(popup, openedAtMs) : pageTarget(openedAtMs);
}

/**
 * Runs work that creates a document, and returns its result with the target to print it on. Call it in the tap's handler.
 * Opening a window blocks the page for longer than a whole sale, so browsers that allow it open the window after the sale
 * is stored and shown, and not at all if the work is refused. In the others it opens before the work begins: Firefox handles
 * other events while it opens a window, and they end a transaction that has just begun.
 */
export async function withPrintTarget<Output>(
  work: () => Promise<Output>,
): Promise<{ target: PrintTarget; result: Output }> {
  const opened = tapLasts ? null : openPrintTarget();
  const working = work();
  const target = opened ?? openAfter(working);
  try {
    return { target, result: await working };
  } catch (error) {
    target.discard();
    throw error;
  }
}

function openAfter(work: Promise<unknown>): PrintTarget {
  let wanted = true;
  const shown = work.then(nextPaint, () => undefined);
  const latest = new Promise((resolve) => setTimeout(resolve, latestOpeningMs));
  const opened = Promise.race([shown, latest]).then(() => (wanted ? openPrintTarget() : null));
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
      if (closes) popup.addEventListener('afterprint', () => popup.close(), { once: true });
      document.documentElement.lang = content.language;
      document.title = content.title;
      document.documentElement.className = 'paper-page';
      document.body.className = 'paper-window';
      const paper = await documentElement(document, content);
      document.body.replaceChildren(paper);
      const setPageSize = styleDocument(document);
      setPageSize(pageRule(content.width, paper.getBoundingClientRect().height));
      await printLater(popup, openedAtMs);
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
      const paper = await documentElement(document, content);
      root.append(paper);
      const setPageSize = styleDocument(document);
      document.body.append(root);
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
  await new Promise<void>((resolve) => {
    target.setTimeout(() => {
      try {
        target.focus();
        target.print();
      } catch (error) {
        console.error('The paper could not be printed.', error);
      }
      resolve();
    }, waitMs);
    window.setTimeout(resolve, waitMs + printTimeoutMs);
  });
}
