import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';

interface WhenNearProps {
  /** Draws at once, without waiting to be near. */
  always: boolean;
  heightPx: number;
  children: ReactNode;
}

/** A list item whose content is made when it comes near the view, so that a list of hundreds opens as fast as one of ten. */
export function WhenNear({ always, heightPx, children }: WhenNearProps) {
  const item = useRef<HTMLLIElement>(null);
  const [near, setNear] = useState(always);
  useEffect(() => {
    if (near || !item.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '400px' },
    );
    observer.observe(item.current);
    return () => observer.disconnect();
  }, [near]);
  return (
    <li ref={item} style={near ? undefined : { minHeight: heightPx }}>
      {near && children}
    </li>
  );
}
