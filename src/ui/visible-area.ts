/**
 * Keeps the page within what the on-screen keyboard leaves of the window. The keyboard shrinks only the visual viewport:
 * a page as high as the window would continue under it.
 */

interface Viewport {
  height: number;
  offsetTop: number;
  scale: number;
}

export interface VisibleArea {
  topPx: number;
  heightPx: number;
  /** Whether it is too low for the page's header beside what one types. */
  isShort: boolean;
}

/** No keyboard is lower. The bars of a browser, which `dvh` leaves out, are. */
const leastKeyboardPx = 120;
const shortPx = 480;

/** Returns what a keyboard leaves of the window; null without a keyboard, and while the person magnifies the page. */
export function areaOverKeyboard({ height, offsetTop, scale }: Viewport, windowHeightPx: number): VisibleArea | null {
  if (scale > 1.01 || windowHeightPx - height < leastKeyboardPx) return null;
  const heightPx = Math.round(height);
  return { topPx: Math.max(0, Math.round(offsetTop)), heightPx, isShort: heightPx < shortPx };
}

/**
 * Writes the visible area into the properties `--visible-top` and `--visible-height`, which shells and dialogs use, and keeps
 * the focused field in sight. Elements with `data-yields` give their room up where it is short.
 */
export function followVisibleArea(): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  const { style, dataset } = document.documentElement;
  const follow = () => {
    const area = areaOverKeyboard(viewport, document.documentElement.clientHeight);
    if (!area) {
      style.removeProperty('--visible-top');
      style.removeProperty('--visible-height');
      delete dataset['keyboard'];
      return;
    }
    style.setProperty('--visible-top', `${area.topPx}px`);
    style.setProperty('--visible-height', `${area.heightPx}px`);
    dataset['keyboard'] = area.isShort ? 'short' : 'up';
  };
  viewport.addEventListener('resize', () => {
    follow();
    if (dataset['keyboard']) document.activeElement?.scrollIntoView({ block: 'nearest' });
  });
  viewport.addEventListener('scroll', follow);
  follow();
}
