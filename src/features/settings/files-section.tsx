import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { useUploadSpace } from '#src/server-data/settings.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

const bytesPerMb = 1024 * 1024;

/** What pictures and receipts take of the clinic's storage on the server. */
export function FilesSection() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const read = useUploadSpace();
  const space = read.value?.data;
  const megabytes = (bytes: number) => formats.quantity(Math.ceil(bytes / bytesPerMb));
  return (
    <FormSection anchor="files" title={t('settings.files.title')} text={t('settings.files.text')}>
      {!space && (
        <WholeRow>
          <LoadError data={read} />
          {read.isLoading && <Skeleton height="12" />}
        </WholeRow>
      )}
      {space && (
        <WholeRow>
          <chakra.p>
            {t('settings.files.used', { used: megabytes(space.used), limit: megabytes(space.limit) })}
          </chakra.p>
          <chakra.p fontSize="sm" color="fg.muted">
            {t('settings.files.today', {
              used: megabytes(space.used_today),
              limit: megabytes(space.limit_a_day),
            })}
          </chakra.p>
          {space.is_disk_short && (
            <chakra.p mt="2">
              <Badge tone="due">{t('settings.files.short')}</Badge>
            </chakra.p>
          )}
        </WholeRow>
      )}
    </FormSection>
  );
}
