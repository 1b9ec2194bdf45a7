import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/** What happened in the page, in order. */
let happened: string[];

/** Loads the module as a browser does that allows windows for some seconds after a tap, or, as WebKit, only within the tap. */
async function printTargetsOf({ tapLasts, device = {} }: { tapLasts: boolean; device?: Partial<Navigator> }) {
  vi.resetModules();
  const open = () => {
    happened.push('window');
    return { close: () => happened.push('closed') };
  };
  vi.stubGlobal('navigator', { userAgent: '', vendor: tapLasts ? '' : 'Apple Computer, Inc.', ...device });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('window', { open });
  vi.stubGlobal('requestAnimationFrame', (paint: () => void) => setTimeout(paint));
  return import('#src/printing/print-target.ts');
}

const store = async (): Promise<string> => {
  happened.push('begun');
  await new Promise((resolve) => setTimeout(resolve));
  happened.push('stored');
  return 'sale';
};

beforeEach(() => {
  happened = [];
});
afterEach(() => vi.unstubAllGlobals());

describe('the window of a document that a tap creates', () => {
  test('opens within the tap and before the work, where it would be blocked later', async () => {
    const { withPrintTarget } = await printTargetsOf({ tapLasts: false });
    const working = withPrintTarget(store);
    expect(happened).toEqual(['window', 'begun']);
    expect((await working).result).toBe('sale');
    expect(happened).toEqual(['window', 'begun', 'stored']);
  });

  test('opens after the work where the tap lasts, because opening takes longer than a sale', async () => {
    const { withPrintTarget } = await printTargetsOf({ tapLasts: true });
    await withPrintTarget(store);
    await vi.waitFor(() => expect(happened).toEqual(['begun', 'stored', 'window']));
  });

  test('is not left behind when the work fails', async () => {
    const fail = async () => {
      throw new Error('Storage does not answer.');
    };
    const inTap = await printTargetsOf({ tapLasts: false });
    await expect(inTap.withPrintTarget(fail)).rejects.toThrow('Storage does not answer.');
    expect(happened).toEqual(['window', 'closed']);
    const after = await printTargetsOf({ tapLasts: true });
    await expect(after.withPrintTarget(fail)).rejects.toThrow('Storage does not answer.');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(happened).toEqual(['window', 'closed']);
  });

  test('is missing in the installed app of an iPad, which prints in its page, and there in one of its tabs', async () => {
    const iPad = {
      userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15',
      maxTouchPoints: 5,
    };
    const installed = await printTargetsOf({ tapLasts: false, device: { ...iPad, standalone: true } as object });
    installed.openPrintTarget();
    expect(happened).toEqual([]);
    const inTab = await printTargetsOf({ tapLasts: false, device: { ...iPad, standalone: false } as object });
    inTab.openPrintTarget();
    expect(happened).toEqual(['window']);
  });
});

/** The window of a document, with what printing uses of it. */
function paperWindow() {
  const element = (): object => ({
    dataset: {},
    append() {},
    replaceChildren() {},
    getBoundingClientRect: () => ({ height: 100 }),
  });
  class CSSStyleSheet {
    replaceSync() {}
  }
  const document = {
    documentElement: element(),
    body: element(),
    adoptedStyleSheets: [],
    createElement: element,
    defaultView: { CSSStyleSheet },
  };
  const events = new EventTarget();
  return Object.assign(events, {
    document,
    closed: false,
    setTimeout: (run: () => void) => setTimeout(run),
    focus() {},
    print: (): void => void happened.push('printed'),
    close: () => happened.push('closed'),
  });
}

describe('the window of a document that is printed at once', () => {
  const look = { logo_url: '', document_colour: '#0b5150' };
  const content = { title: 'INV-A7-000001', language: 'en', width: '80mm', rows: [], copyWord: null, look } as const;

  async function print(paper: ReturnType<typeof paperWindow>, device: Partial<Navigator> = {}) {
    const { openPrintTarget } = await printTargetsOf({ tapLasts: false, device });
    const app = Object.assign(new EventTarget(), { open: () => paper, setTimeout });
    vi.stubGlobal('window', app);
    await openPrintTarget().print(content, { closes: true });
    return app;
  }

  async function printed(device: Partial<Navigator> = {}) {
    const paper = paperWindow();
    const app = await print(paper, device);
    expect(happened).toEqual(['printed']);
    return { paper, app };
  }

  test('closes after printing', async () => {
    const { paper } = await printed();
    paper.dispatchEvent(new Event('afterprint'));
    expect(happened).toEqual(['printed', 'closed']);
  });

  test('closes when the person comes back to the app, in an engine that never says that it has printed', async () => {
    const { app } = await printed();
    app.dispatchEvent(new Event('focus'));
    expect(happened).toEqual(['printed', 'closed']);
  });

  test('stays under the print dialog of iPadOS, which does not hold the page', async () => {
    const { paper, app } = await printed({ userAgent: 'Mozilla/5.0 (iPad)' });
    paper.dispatchEvent(new Event('afterprint'));
    expect(happened).toEqual(['printed']);
    app.dispatchEvent(new Event('focus'));
    expect(happened).toEqual(['printed', 'closed']);
  });

  test('is not printed when the person has closed it', async () => {
    await print(Object.assign(paperWindow(), { closed: true }));
    expect(happened).toEqual([]);
  });

  test('may be closed while it prints, which is no error, as a printer that fails is', async () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const paper = (isClosed: boolean) => {
      const failing = paperWindow();
      failing.print = () => {
        failing.closed = isClosed;
        throw new DOMException('Clone operation for printing failed', 'NotSupportedError');
      };
      return failing;
    };
    await print(paper(true));
    expect(report).not.toHaveBeenCalled();
    await print(paper(false));
    expect(report).toHaveBeenCalledTimes(1);
    report.mockRestore();
  });
});
