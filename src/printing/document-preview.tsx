import { chakra } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { documentElement } from './document-element.ts';
import type { PrintContent } from './document-element.ts';
import { layOutSheets } from './sheet.ts';
import { loadTypeface } from './typeface.ts';
import paperStyles from './print.css?inline';

let sheet: CSSStyleSheet | undefined;

/** Returns the styles of the paper; all previews share them. */
function previewStyles(): CSSStyleSheet {
  if (sheet) return sheet;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(paperStyles);
  return sheet;
}

/** Previews a printed document with the same elements and styles, in a shadow root apart from the app's styles. */
export function DocumentPreview({ content, label }: { content: PrintContent; label: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [previewStyles()];
    let isLatest = true;
    let fitting: ResizeObserver | undefined;
    void Promise.all([documentElement(document, content, 'article'), loadTypeface(document, content.rows)]).then(
      ([paper]) => {
        if (!isLatest) return;
        root.replaceChildren(paper);
        layOutSheets(paper);
        // A sheet is wider than most forms. An engine without `zoom` lets it be scrolled.
        fitting = new ResizeObserver(([place]) => {
          const scale = Math.min(1, place!.contentRect.width / paper.offsetWidth);
          element.style.setProperty('zoom', String(scale));
        });
        fitting.observe(element.parentElement!);
      },
    );
    return () => {
      isLatest = false;
      fitting?.disconnect();
    };
  }, [content]);
  return (
    <chakra.section
      aria-label={label}
      display="flex"
      justifyContent="safe center"
      p="6"
      bg="bg.sunken"
      borderRadius="md"
      overflow="auto"
      css={{ '& > div': { boxShadow: '{shadows.raised}', flex: 'none' } }}
    >
      <div ref={host} />
    </chakra.section>
  );
}
