import { chakra, Flex } from '@chakra-ui/react';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayMs } from '#domain/durations.ts';
import { certificateSeen } from '#domain/fiscal/resources.ts';
import type { CertificateResource } from '#domain/fiscal/resources.ts';
import { problemOf } from '#domain/problems.ts';
import { callServer } from '#src/api/client.ts';
import type { CallFault } from '#src/api/client.ts';
import { ChangedBanner } from '#src/decisions/change-list.tsx';
import { useSeen } from '#src/decisions/use-seen.ts';
import { FormSection, WholeRow } from '#src/forms/form-section.tsx';
import { useMinute } from '#src/formats/clock.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { fiscalPaths, useSendingStatus } from '#src/server-data/fiscal.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { refreshData } from '#src/server-data/use-server-data.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { TextField } from '#src/ui/text-field.tsx';

/** More than any certificate with its chain has. */
const mostBytes = 70_000;
const warnDays = 30;

/** The certificate with which the clinic signs in to the tax agency. It is uploaded at once, apart from the form. */
export function CertificateSection() {
  const { t } = useTranslation();
  const sending = useSendingStatus();
  return (
    <FormSection anchor="certificate" title={t('verifactu.certificate.title')} text={t('verifactu.certificate.text')}>
      <WholeRow>
        {sending.isLoading && <Skeleton height="16" />}
        {sending.fault && <LoadError data={sending} />}
        {sending.value && <Present certificate={sending.value.data.certificate} />}
      </WholeRow>
      <WholeRow>{sending.value && <UploadForm before={sending.value.data.certificate} />}</WholeRow>
    </FormSection>
  );
}

function Present({ certificate }: { certificate: CertificateResource | null }) {
  const { t } = useTranslation();
  const { date } = useClinicFormats();
  const nowMs = useMinute();
  if (!certificate) return <Banner tone="due">{t('verifactu.certificate.none')}</Banner>;
  const days = Math.floor((Date.parse(certificate.expires_at) - nowMs) / dayMs);
  const hasEnded = days < 0;
  const endsSoon = !hasEnded && days <= warnDays;
  return (
    <Flex direction="column" gap="4">
      <chakra.dl display="grid" gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '2fr 1fr' }} gap="4">
        <div>
          <chakra.dt fontSize="sm" color="fg.muted">
            {t('verifactu.certificate.holder')}
          </chakra.dt>
          <chakra.dd fontWeight="medium" overflowWrap="anywhere">
            {certificate.holder}
          </chakra.dd>
        </div>
        <div>
          <chakra.dt fontSize="sm" color="fg.muted">
            {t('verifactu.certificate.expires')}
          </chakra.dt>
          <chakra.dd display="flex" alignItems="center" gap="2" flexWrap="wrap">
            {date(certificate.expires_at)}
            <Badge tone={hasEnded ? 'refused' : endsSoon ? 'due' : 'paid'}>
              {hasEnded
                ? t('verifactu.certificate.ended')
                : endsSoon
                  ? t('verifactu.certificate.soon', { count: days })
                  : t('verifactu.certificate.valid')}
            </Badge>
          </chakra.dd>
        </div>
      </chakra.dl>
      {certificate.other_tax_id !== null && (
        <Banner tone="due" title={t('verifactu.certificate.other', { taxId: certificate.other_tax_id })}>
          {t('verifactu.certificate.otherText')}
        </Banner>
      )}
      {(hasEnded || endsSoon) && (
        <Banner tone={hasEnded ? 'refused' : 'due'}>
          {t(hasEnded ? 'verifactu.certificate.endedText' : 'verifactu.certificate.soonText')}
        </Banner>
      )}
    </Flex>
  );
}

interface Upload {
  pkcs12: string;
  passphrase: string;
}

/** @param before the certificate that the uploaded one takes the place of */
function UploadForm({ before }: { before: CertificateResource | null }) {
  const { t } = useTranslation();
  const file = useRef<HTMLInputElement>(null);
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();
  const { date } = useClinicFormats();
  const words = {
    holder: { label: t('verifactu.certificate.holder') },
    expires_at: { label: t('verifactu.certificate.expires'), text: date },
  };
  const shown = Object.fromEntries(certificateSeen.map((field) => [field, before?.[field] ?? null]));
  const sight = useSeen(shown, words, { isLive: true });
  const takeRefusal = (fault: CallFault): boolean => {
    if (sight.take(fault)) {
      void refreshData(...fiscalPaths);
      return true;
    }
    const { details } = fault;
    const sentence = details?.['pkcs12'];
    const known = typeof sentence === 'string' ? problemOf(sentence) : undefined;
    if (known) setProblem(t(`problems.${known}`));
    return known !== undefined;
  };
  const upload = useServerCall(
    (body: Upload) =>
      callServer<{ data: CertificateResource }>('put', 'fiscal/certificate', { ...body, seen: sight.seen }),
    {
      refreshes: fiscalPaths,
      done: (_body, { data }) => t('verifactu.certificate.uploaded', { holder: data.holder }),
      failed: t('verifactu.certificate.failed'),
      onRefused: takeRefusal,
    },
  );
  async function submit() {
    const chosen = file.current?.files?.[0];
    if (!chosen) return setProblem(t('verifactu.certificate.fileRequired'));
    if (chosen.size > mostBytes) return setProblem(t('verifactu.certificate.tooLarge'));
    setProblem(undefined);
    if (!(await upload.run({ pkcs12: await base64Of(chosen), passphrase }))) return;
    sight.forget();
    file.current!.value = '';
    setPassphrase('');
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '1fr 1fr' }}
        gap="5"
        alignItems="start"
      >
        <TextField
          ref={file}
          type="file"
          accept=".p12,.pfx,application/x-pkcs12"
          label={t('verifactu.certificate.file')}
          error={problem}
          onChange={() => setProblem(undefined)}
        />
        <TextField
          type="password"
          autoComplete="off"
          maxLength={200}
          label={t('verifactu.certificate.passphrase')}
          value={passphrase}
          onChange={({ target }) => setPassphrase(target.value)}
        />
        {sight.changes && (
          <WholeRow>
            <ChangedBanner changes={sight.changes} />
          </WholeRow>
        )}
        <WholeRow>
          <Button type="submit" disabled={upload.isRunning || sight.isReading}>
            <Upload />
            {t(upload.isRunning ? 'verifactu.certificate.uploading' : 'verifactu.certificate.upload')}
          </Button>
        </WholeRow>
      </chakra.div>
    </form>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
}
