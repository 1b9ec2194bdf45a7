import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { areaOverKeyboard, followVisibleArea } from '#src/ui/visible-area.ts';

describe('what a keyboard leaves of the window', () => {
  test('is the visual viewport', () => {
    const upright = areaOverKeyboard({ height: 760.4, offsetTop: 0, scale: 1 }, 1180);
    expect(upright).toEqual({ topPx: 0, heightPx: 760, isShort: false });
    const moved = areaOverKeyboard({ height: 380, offsetTop: 60.6, scale: 1 }, 820);
    expect(moved).toEqual({ topPx: 61, heightPx: 380, isShort: true });
  });

  test('is the whole window while a bar of the browser is all that covers it', () => {
    expect(areaOverKeyboard({ height: 820, offsetTop: 0, scale: 1 }, 820)).toBeNull();
    expect(areaOverKeyboard({ height: 720, offsetTop: 0, scale: 1 }, 820)).toBeNull();
  });

  test('is not worked out while the person magnifies the page', () => {
    expect(areaOverKeyboard({ height: 410, offsetTop: 100, scale: 2 }, 820)).toBeNull();
  });
});

describe('following the visible area', () => {
  const viewport = Object.assign(new EventTarget(), { height: 820, offsetTop: 0, scale: 1 });
  const properties = new Map<string, string>();
  const dataset: Record<string, string> = {};
  const scrollIntoView = vi.fn();

  beforeEach(() => {
    const style = {
      setProperty: (name: string, value: string) => properties.set(name, value),
      removeProperty: (name: string) => properties.delete(name),
    };
    vi.stubGlobal('window', { visualViewport: viewport });
    vi.stubGlobal('document', {
      documentElement: { style, dataset, clientHeight: 820 },
      activeElement: { scrollIntoView },
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  const become = (change: Partial<typeof viewport>, event: string) => {
    Object.assign(viewport, change);
    viewport.dispatchEvent(new Event(event));
  };

  test('gives the page the height over the keyboard, keeps the field in sight, and takes it back', () => {
    followVisibleArea();
    expect(properties.size).toBe(0);
    become({ height: 380 }, 'resize');
    expect(Object.fromEntries(properties)).toEqual({ '--visible-top': '0px', '--visible-height': '380px' });
    expect(dataset['keyboard']).toBe('short');
    expect(scrollIntoView).toHaveBeenCalledExactlyOnceWith({ block: 'nearest' });
    become({ offsetTop: 40 }, 'scroll');
    expect(properties.get('--visible-top')).toBe('40px');
    become({ height: 820, offsetTop: 0 }, 'resize');
    expect(properties.size).toBe(0);
    expect(dataset).toEqual({});
    expect(scrollIntoView).toHaveBeenCalledOnce();
  });
});
