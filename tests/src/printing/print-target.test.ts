import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

/** What happened in the page, in order. */
let happened: string[];

/** Loads the module as a browser does that allows windows for some seconds after a tap, or only within the tap. */
async function printTargetsOf({ tapLasts }: { tapLasts: boolean }) {
  vi.resetModules();
  const open = () => {
    happened.push('window');
    return { close: () => happened.push('closed') };
  };
  vi.stubGlobal('navigator', tapLasts ? { userAgentData: {} } : {});
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
});
