import { chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { amountForm } from '#domain/decimal.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { StarterList } from '#domain/stock/resources.ts';
import { callServer } from '#src/api/client.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { DrawnPicture } from '#src/forms/drawn-picture.tsx';
import { MoneyField } from '#src/forms/money-field.tsx';
import { useTypedNumber } from '#src/forms/use-typed-number.ts';
import { cataloguePaths, useStarterList } from '#src/server-data/catalogue.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { requestSync } from '#src/sync/sync-host.ts';
import { CheckField } from '#src/ui/check-field.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { Swatch } from '#src/ui/swatch.tsx';
import { StepFrame } from './step-frame.tsx';
import type { StepProps } from './step-frame.tsx';

interface ServicesStepProps extends StepProps {
  settings: ClinicSettings;
}

interface Draft {
  rows: { key: string; price: number; chosen: boolean }[];
}

/** Offers the list to begin with: services with categories, pictures and taxes, whose prices somebody confirms. */
export function ServicesStep(props: ServicesStepProps) {
  const list = useStarterList();
  // A restored form must fit the list, so it waits for it.
  const [initial, setInitial] = useState<StarterList>();
  if (!initial && list.value && !list.isBusy) setInitial(list.value.data);
  if (initial) return <ServicesForm list={initial} {...props} />;
  return list.fault ? <LoadError data={list} /> : <Skeleton height="96" aria-busy />;
}

function ServicesForm({ list, settings, ...step }: ServicesStepProps & { list: StarterList }) {
  const { t } = useTranslation();
  const [initial] = useState<Draft>(() => ({
    rows: list.services.map(({ key, price, isUsual, is_there }) => ({ key, price, chosen: isUsual && !is_there })),
  }));
  const form = useDraftForm<Draft>({
    name: 'welcome:services',
    initial,
    problemsOf: ({ rows }) =>
      rows.some(({ chosen, price }) => chosen && price < 0.01) ? { rows: 'PRICE_TOO_SMALL' } : {},
  });
  const saving = useServerCall(
    async (services: Pick<Draft['rows'][number], 'key' | 'price'>[], headers) => {
      await callServer('post', 'stock/starter', { services }, headers);
      requestSync('changes');
    },
    { refreshes: cataloguePaths, failed: t('welcome.services.failed') },
  );
  const submit = form.handleSubmit(async ({ rows }) => {
    const chosen = rows.filter((row, index) => row.chosen && !list.services[index]!.is_there);
    if (chosen.length > 0 && !(await saving.run(chosen.map(({ key, price }) => ({ key, price }))))) return;
    await form.forget();
    step.onDone();
  });
  const count = form.watch('rows').filter((row, index) => row.chosen && !list.services[index]!.is_there).length;
  return (
    <StepFrame
      title={t('welcome.services.title')}
      text={t('welcome.services.text')}
      submit={count === 0 ? t('welcome.next') : t('welcome.services.add', { count })}
      isBusy={saving.isRunning}
      onSubmit={() => void submit()}
      {...step}
    >
      {list.categories.map(({ key, name, color }) => (
        <section key={key} aria-labelledby={`starter-${key}`}>
          <Flex align="center" gap="2" pb="2">
            <Swatch color={color} />
            <chakra.h3 id={`starter-${key}`} fontWeight="semibold">
              {name}
            </chakra.h3>
          </Flex>
          <ul>
            {list.services.map(
              (service, index) =>
                service.category === key && (
                  <Row
                    key={service.key}
                    form={form}
                    index={index}
                    service={service}
                    color={color}
                    settings={settings}
                  />
                ),
            )}
          </ul>
        </section>
      ))}
      {form.errorOf('rows') && (
        <chakra.p role="alert" color="refused.fg" fontSize="sm">
          {form.errorOf('rows')}
        </chakra.p>
      )}
    </StepFrame>
  );
}

interface RowProps {
  form: DraftForm<Draft>;
  index: number;
  service: StarterList['services'][number];
  color: string;
  settings: ClinicSettings;
}

function Row({ form, index, service: { name, drawing, tax, is_there: isThere }, color, settings }: RowProps) {
  const { t } = useTranslation();
  const price = useTypedNumber(form, `rows.${index}.price`, amountForm);
  const taxText = settings.tax_profile !== 'none' && tax !== 'E1' && t(`tax.codes.${tax}`);
  return (
    <chakra.li
      display="grid"
      // On a phone the price has a line of its own.
      gridTemplateColumns={{ base: '3.5rem minmax(0, 1fr)', md: '3.5rem minmax(0, 1fr) auto' }}
      alignItems="center"
      columnGap="3"
      py="1.5"
      borderTopWidth="1px"
      borderColor="border"
    >
      <DrawnPicture drawing={drawing} color={color} width="3.5rem" />
      <div>
        {isThere ? (
          <chakra.p lineHeight="1.5">
            {name}
            <chakra.span display="block" fontSize="sm" color="fg.muted">
              {t('welcome.services.there')}
            </chakra.span>
          </chakra.p>
        ) : (
          <CheckField label={name} hint={taxText || undefined} {...form.register(`rows.${index}.chosen`)} />
        )}
      </div>
      {!isThere && (
        <chakra.div gridColumn={{ base: '2', md: 'auto' }} width="11rem">
          <MoneyField
            label={t('welcome.services.price', { name })}
            labelHidden
            currency={settings.currency}
            {...price}
          />
        </chakra.div>
      )}
    </chakra.li>
  );
}
