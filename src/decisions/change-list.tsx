import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Banner } from '../ui/banner.tsx';
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

/** Tells that nothing was done, because the record is no longer what its screen showed. */
export function ChangedBanner({ changes }: { changes: readonly FieldChange[] }) {
  const { t } = useTranslation();
  return (
    <div ref={(element) => element?.scrollIntoView({ block: 'nearest' })}>
      <Banner tone="refused" title={t('decisions.changed')}>
        {changes.length > 0 && <ChangeList changes={changes} />}
        <chakra.p mt={changes.length > 0 ? '1' : '0'}>{t('decisions.again')}</chakra.p>
      </Banner>
    </div>
  );
}
