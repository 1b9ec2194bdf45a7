/**
 * Where a paper is printed: in a window of its own, or, where windows are blocked, in `#print-root` of the app. There is
 * no printing frame, because iOS prints the whole app instead. The content security policy of the app holds in the window
 * too: styles come from `print.css`, and the page's size from a constructed style sheet.
 */
import { documentElement, pageRule } from './document-element.ts';
import type { PrintContent } from './document-element.ts';

export interface PrintTarget {
  /**
   * Writes the paper and has it printed; until then the page must stay. Rejects when the paper could not be made; a failure
   * to print is only logged.
   *
   * @param closes whether a window of its own goes when the paper is printed
   */
  print(content: PrintContent, options?: { closes?: boolean }): Promise<void>;
  /** Takes the window away again: there is nothing to print. */
  discard(): void;
}

/** The dialog opens this long after the window, which gives slow printer drivers a finished page. */
const printDelayMs = 500;
/** After so much more nobody waits for the dialog: its window may have been closed. */
const printTimeoutMs = 2000;
const styleTimeoutMs = 3000;
/** No window is opened later than this after the tap: that much, every browser that counts from the tap allows. */
const latestOpeningMs = 1000;
const rootId = 'print-root';

/** In Chromium a tap stands for a window for some seconds; in other engines only as long as the tap itself is handled. */
const tapLasts = 'userAgentData' in navigator;

/** Must be called within the tap, before anything is awaited, or the browser blocks the window. */
export function openPrintTarget(): PrintTarget {
  const openedAtMs = performance.now();
  const popup = window.open('', 'invoice', 'popup,width=460,height=760');
  return popup ? windowTarget(popup, openedAtMs) : pageTarget(openedAtMs);
}

/**
 * The target of a paper that comes of `work`; called within the tap that began it. To open a window holds the page up for
 * longer than a whole sale, so where the tap lasts, the sale is stored and its result on the screen before the window
 * opens; and work that was refused opens none.
 */
export function openPrintTargetAfter(work: Promise<unknown>): PrintTarget {
  if (!tapLasts) return openPrintTarget();
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

/** What was drawn before is on the screen. */
const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Removes a paper that was printed inside the app, so that it is not printed in place of another page. */
export function removePrintedDocument(): void {
  document.getElementById(rootId)?.remove();
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== pageSheets.get(document));
  pageSheets.delete(document);
}

function windowTarget(popup: Window, openedAtMs: number): PrintTarget {
  return {
    print: async (content, { closes = false } = {}) => {
      const { document } = popup;
      if (closes) popup.addEventListener('afterprint', () => popup.close(), { once: true });
      document.documentElement.lang = content.language;
      document.title = content.title;
      document.body.className = 'paper-window';
      const paper = documentElement(document, content);
      document.body.replaceChildren(paper);
      await loadStyles(document);
      setPageSize(document, pageRule(content.width, paper.getBoundingClientRect().height));
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
      // Printed only: a screen reader has the same facts in the app.
      root.ariaHidden = 'true';
      const paper = documentElement(document, content);
      root.append(paper);
      await loadStyles(document);
      document.body.append(root);
      setPageSize(document, pageRule(content.width, paper.getBoundingClientRect().height));
      await printLater(window, openedAtMs);
    },
    discard: () => undefined,
  };
}

/** Resolves when `print.css` applies in the document. Without it the paper is readable all the same, so a failure is only logged. */
async function loadStyles(document: Document): Promise<void> {
  if (document.querySelector('link[data-paper]')) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = new URL('/print.css', window.location.origin).href;
  link.dataset['paper'] = '';
  const settled = new Promise<void>((resolve) => {
    link.addEventListener('load', () => resolve(), { once: true });
    link.addEventListener(
      'error',
      () => {
        console.error('The styles of the paper could not be loaded.');
        resolve();
      },
      { once: true },
    );
    window.setTimeout(resolve, styleTimeoutMs);
  });
  document.head.append(link);
  await settled;
}

const pageSheets = new WeakMap<Document, CSSStyleSheet>();

function setPageSize(document: Document, rule: string): void {
  let sheet = pageSheets.get(document);
  if (!sheet) {
    // A document adopts only sheets that its own window constructed.
    const { CSSStyleSheet: Sheet } = document.defaultView as unknown as { CSSStyleSheet: typeof CSSStyleSheet };
    sheet = new Sheet();
    pageSheets.set(document, sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  }
  sheet.replaceSync(rule);
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
