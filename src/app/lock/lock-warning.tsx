import { chakra, Flex } from '@chakra-ui/react';
import { Lock } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useComingLock } from '#src/session/idle.ts';
import { Button } from '#src/ui/button.tsx';
import { showPopover } from '#src/ui/popover.ts';

/** Any touch keeps the screen open. The warning stays for a moment, so that a tap on it does not meet what is behind. */
const lingerMs = 1500;

/** Warns that the app is about to lock, over the screen. */
export function LockWarning() {
  const coming = useComingLock(({ atMs }) => atMs);
  const [shown, setShown] = useState(coming);
  if (coming !== null && coming !== shown) setShown(coming);
  useEffect(() => {
    if (coming !== null || shown === null) return;
    const timer = setTimeout(() => setShown(null), lingerMs);
    return () => clearTimeout(timer);
  }, [coming, shown]);
  return shown === null ? null : <Card locksAtMs={shown} onStay={() => setShown(null)} />;
}

function Card({ locksAtMs, onStay }: { locksAtMs: number; onStay: () => void }) {
  const { t } = useTranslation();
  const panel = useRef<HTMLDivElement>(null);
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    // In the top layer, so that it shows over an open dialog.
    showPopover(panel.current);
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((locksAtMs - nowMs) / 1000));
  return (
    <Flex
      ref={panel}
      popover="manual"
      role="alert"
      align="center"
      gap="4"
      position="fixed"
      inset="auto"
      zIndex="toast"
      top="calc(5rem + env(safe-area-inset-top))"
      insetInline="0"
      mx="auto"
      width="min(28rem, calc(100vw - 2rem))"
      p="3"
      ps="4"
      bg="bg.surface"
      color="fg"
      borderWidth="1px"
      borderColor="border.strong"
      borderRadius="md"
      boxShadow="raised"
      animation="rise 160ms ease-out"
    >
      <Lock size={20} aria-hidden />
      <chakra.div flex="1" minWidth="0">
        <chakra.p fontWeight="semibold">{t('lock.warning.title')}</chakra.p>
        {/* Screen readers would announce every second. */}
        <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums" aria-hidden>
          {t('lock.warning.text', { count: seconds })}
        </chakra.p>
      </chakra.div>
      <Button variant="primary" onClick={onStay}>
        {t('lock.warning.stay')}
      </Button>
    </Flex>
  );
}
