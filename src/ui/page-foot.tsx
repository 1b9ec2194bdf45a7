import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { create } from 'zustand';

const usePlace = create<{ place: HTMLElement | null }>(() => ({ place: null }));
const setPlace = (place: HTMLElement | null): void => usePlace.setState({ place });

/** Where the foot of a page stands: a shell has it once, below the part that scrolls. */
export const FootPlace = () => <div ref={setPlace} />;

/**
 * What stays in view below the page that scrolls, and lies over nothing. The page begins at its top, so nothing moves when
 * a foot comes or goes; toasts stand above it, by `--foot-room`.
 */
export function PageFoot({ children }: { children: ReactNode }) {
  const { place } = usePlace();
  return place && createPortal(<Foot>{children}</Foot>, place);
}

function Foot({ children }: { children: ReactNode }) {
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const measure = new ResizeObserver(() => style.setProperty('--foot-room', `${foot.current?.offsetHeight ?? 0}px`));
    measure.observe(foot.current!);
    return () => {
      measure.disconnect();
      style.removeProperty('--foot-room');
    };
  }, []);
  return <div ref={foot}>{children}</div>;
}
