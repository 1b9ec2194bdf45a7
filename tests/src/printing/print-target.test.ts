import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/** What happened in the page, in order. */
let happened: string[];

/** Loads the module as a browser does that allows windows for some seconds after a tap, or only within the tap. */
async function printTargetsOf({ tapLasts, device = {} }: { tapLasts: boolean; device?: Partial<Navigator> }) {
  vi.resetModules();
  const open = () => {
    happened.push('window');
    return { close: () => happened.push('closed') };
  };
  vi.stubGlobal('navigator', { userAgent: '', ...(tapLasts && { userAgentData: {} }), ...device });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('window', { open });
  vi.stubGlobal('requestAnimationFrame', (paint: () => void) => setTimeout(paint));
  return import('../../../src/printing/print-target.ts');
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
  test('opens within the tap and before the work, where opening one ends the transactions of the page', async () => {
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
