import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
import { intoView } from '../ui/into-view.ts';
import type { FieldChange } from './changes.ts';

/** Says of each field what it was and what it is now. */
export function ChangeList({ changes }: { changes: readonly FieldChange[] }) {
  const { t } = useTranslation();
  return (
    <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="1">
      {changes.map(({ label, was, now }, index) => (
        <chakra.li key={`${label} ${index}`} overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
          {`${label}: ${was} `}
          <span aria-hidden>→ </span>
          <chakra.span srOnly>{t('decisions.isNow')}</chakra.span>{' '}
          <chakra.strong fontWeight="semibold">{now}</chakra.strong>
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

interface ChangedBannerProps {
  changes: readonly FieldChange[];
  /** False where it is told before anything was sent. */
  isRefused?: boolean;
  /** False where nothing is left to decide. */
  isPossible?: boolean;
}

/** Tells that the record is no longer what its screen showed, and that nothing was done where a decision was refused for it. */
export function ChangedBanner({ changes, isRefused = true, isPossible = true }: ChangedBannerProps) {
  const { t } = useTranslation();
  return (
    <div ref={intoView}>
      <Banner tone="refused" title={t('decisions.changed')}>
        {changes.length > 0 && <ChangeList changes={changes} />}
        <chakra.p mt={changes.length > 0 ? '1' : '0'}>
          {t(`decisions.${isPossible ? (isRefused ? 'again' : 'look') : 'over'}`)}
        </chakra.p>
      </Banner>
    </div>
  );
}
