import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { DeclarationResource } from '#domain/fiscal/resources.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { useFormats } from '#src/formats/use-formats.ts';
import { useDeclaration } from '#src/server-data/fiscal.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { Banner } from '#src/ui/banner.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

/** The version, and the responsible declaration of its producer. */
export function AboutScreen() {
  const { t } = useTranslation();
  const declaration = useDeclaration();
  const shown = declaration.value?.data;
  return (
    <PageFrame
      title={t('about.title')}
      onRefresh={declaration.refresh}
      isRefreshing={declaration.isBusy}
      oldSince={declaration.oldSince}
    >
      {declaration.isLoading && <Skeleton height="96" />}
      {declaration.fault && <NotLoaded data={declaration} />}
      {shown && <Declaration declaration={shown} />}
    </PageFrame>
  );
}

/** The fields of Order HAC/1177/2024, article 15, in its order. */
function Declaration({ declaration }: { declaration: DeclarationResource }) {
  const { t } = useTranslation();
  const { day } = useFormats();
  const { system, system_id, version, producer, place, date, is_signed, signed_version } = declaration;
  const signedAt = [date && day(date), place].filter(Boolean).join(', ');
  const fields = [
    ['system', system],
    ['system_id', system_id],
    ['version', version],
    ['components', t('about.declaration.values.components')],
    ['verifactu', t('about.declaration.values.verifactu')],
    ['taxpayers', t('about.declaration.values.taxpayers')],
    ['signature', t('about.declaration.values.signature')],
    ['producer', producer.name],
    ['tax_id', producer.tax_id],
    ['address', producer.address],
    ['statement', t('about.declaration.values.statement')],
    ['signedAt', signedAt],
  ] as const;
  return (
    <chakra.section aria-labelledby="declaration" maxWidth="60rem">
      <Flex gap="3" align="center" wrap="wrap">
        <chakra.h2 id="declaration" fontWeight="semibold">
          {t('about.declaration.title')}
        </chakra.h2>
        <Badge tone={is_signed ? 'paid' : 'due'}>
          {t(is_signed ? 'about.declaration.signed' : 'about.declaration.unsigned')}
        </Badge>
      </Flex>
      <chakra.p fontSize="sm" color="fg.muted" mt="1" mb="4">
        {t('about.declaration.law')}
      </chakra.p>
      {!is_signed && (
        <Banner tone="due" title={t('about.declaration.unsigned')}>
          {signed_version !== '' && signed_version !== version
            ? t('about.declaration.otherVersion', { version: signed_version })
            : t('about.declaration.unsignedText')}
        </Banner>
      )}
      <chakra.dl mt="4" bg="bg.surface" borderWidth="1px" borderColor="border" borderRadius="md">
        {fields.map(([field, value]) => (
          <chakra.div
            key={field}
            display="grid"
            gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '18rem minmax(0, 1fr)' }}
            gap={{ base: '1', md: '6' }}
            px="4"
            py="3"
            css={{ '& + &': { borderTop: '1px solid {colors.border}' } }}
          >
            <chakra.dt fontSize="sm" color="fg.muted">
              {t(`about.declaration.fields.${field}`)}
            </chakra.dt>
            <chakra.dd overflowWrap="anywhere" color={value === '' ? 'due.fg' : 'fg'}>
              {value === '' ? t('about.declaration.blank') : value}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
    </chakra.section>
  );
}
