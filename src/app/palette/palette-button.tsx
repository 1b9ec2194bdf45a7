import { chakra } from '@chakra-ui/react';
import { Search } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadLater } from '#src/ui/load-later.tsx';
import type { Section } from '../sections.tsx';

const Palette = loadLater(async () => (await import('./palette.tsx')).Palette);

/** Opens the palette, as Ctrl+K or ⌘K does. */
export function PaletteButton({ sections }: { sections: readonly Section[] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const end = new AbortController();
    const follow = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // A dialog keeps what is entered in it.
      if (!document.querySelector('dialog[open]')) setOpen(true);
    };
    addEventListener('keydown', follow, { signal: end.signal });
    return () => end.abort();
  }, []);
  return (
    <>
      <chakra.button
        type="button"
        aria-label={t('palette.title')}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
        onPointerEnter={() => void Palette.load()}
        // A phone has no room for it beside the tabs, and no keyboard.
        display={{ base: 'none', md: 'flex' }}
        alignItems="center"
        gap="2"
        minWidth="12"
        minHeight="12"
        flexShrink={0}
        whiteSpace="nowrap"
        px="3"
        borderRadius="md"
        color="fg.muted"
        cursor="pointer"
        _hover={{ bg: 'bg.hover', color: 'fg' }}
      >
        <Search size={20} aria-hidden />
        <chakra.span hideBelow="lg" css={{ '@container header (width < 60rem)': { display: 'none' } }}>
          {t('palette.button')}
        </chakra.span>
        <chakra.kbd
          hideBelow="lg"
          css={{ '@container header (width < 60rem)': { display: 'none' } }}
          px="1"
          borderWidth="1px"
          borderColor="border"
          borderRadius="md"
          fontFamily="body"
          fontSize="sm"
        >
          Ctrl K
        </chakra.kbd>
      </chakra.button>
      {isOpen && (
        <Suspense fallback={null}>
          <Palette sections={sections} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
