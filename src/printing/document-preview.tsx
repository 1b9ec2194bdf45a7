import { chakra } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { documentElement } from './document-element.ts';
import type { PrintContent } from './document-element.ts';

/** Previews a printed document with the same elements and styles, in a shadow root apart from the app's styles. */
export function DocumentPreview({ content, label }: { content: PrintContent; label: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    let sheet = root.querySelector('link');
    if (!sheet) {
      sheet = document.createElement('link');
      sheet.rel = 'stylesheet';
      sheet.href = '/print.css';
    }
    root.replaceChildren(sheet, documentElement(document, content, 'article'));
  }, [content]);
  return (
    <chakra.section
      aria-label={label}
      display="flex"
      justifyContent="center"
      p="6"
      bg="bg.sunken"
      borderRadius="md"
      overflow="auto"
      css={{ '& > div': { boxShadow: '{shadows.raised}' } }}
    >
      <div ref={host} />
    </chakra.section>
  );
}
