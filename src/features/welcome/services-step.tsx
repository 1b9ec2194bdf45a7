import { chakra, Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { amountForm } from '../../../domain/decimal.ts';
import { searchKey } from '../../../domain/search-key.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import type { CategoryResource } from '../../../domain/stock/resources.ts';
import { api, callServer } from '../../api/client.ts';
import { useDraftForm } from '../../forms/draft-form.ts';
import type { DraftForm } from '../../forms/draft-form.ts';
import { MoneyField } from '../../forms/money-field.tsx';
import { useTypedNumber } from '../../forms/use-typed-number.ts';
import { cataloguePaths } from '../../server-data/catalogue.ts';
import { useServerCall } from '../../server-data/use-server-call.ts';
import { requestSync } from '../../sync/sync-host.ts';
import { CheckField } from '../../ui/check-field.tsx';
import { importFile, starterServices } from './starter-services.ts';
import type { StarterRow } from './starter-services.ts';
import { StepFrame } from './step-frame.tsx';
import type { StepProps } from './step-frame.tsx';

interface ServicesStepProps extends StepProps {
  settings: ClinicSettings;
}

interface Draft {
  rows: StarterRow[];
}

/** Creates the categories that do not exist yet. A second attempt finds those of the first. */
async function ensureCategories(names: readonly string[]): Promise<void> {
  const { data } = await api
    .get('categories', { searchParams: { per_page: 200 } })
    .json<{ data: CategoryResource[] }>();
  const known = new Set(data.map(({ name }) => searchKey(name)));
  for (const name of new Set(names))
    if (!known.has(searchKey(name))) await callServer('post', 'categories', { name, description: '' });
}

/** Proposes services with prices, in the clinic's language, whose texts may not be loaded yet. */
export function ServicesStep(props: ServicesStepProps) {
  const { i18n } = useTranslation();
  const language = props.settings.default_language;
  const [isReady, setReady] = useState(i18n.hasResourceBundle(language, 'translation'));
  useEffect(() => void i18n.loadLanguages(language).then(() => setReady(true)), [i18n, language]);
  return isReady && <ServicesForm {...props} />;
}

function ServicesForm({ settings, ...step }: ServicesStepProps) {
  const { t, i18n } = useTranslation();
  const [initial] = useState<Draft>(() => {
    const clinic = i18n.getFixedT(settings.default_language);
    return {
      rows: starterServices.map(({ name, category, price }) => ({
        name: clinic(`welcome.starter.services.${name}`),
        category: clinic(`welcome.starter.categories.${category}`),
        price,
        chosen: true,
      })),
    };
  });
  const form = useDraftForm<Draft>({ name: 'welcome:services', initial, problemsOf: () => ({}) });
  const saving = useServerCall(
    async (chosen: StarterRow[], headers) => {
      await ensureCategories(chosen.map(({ category }) => category));
      await callServer('post', 'stock/import', { csv: importFile(chosen), confirm: true }, headers);
      requestSync('changes');
    },
    { refreshes: cataloguePaths, failed: t('welcome.services.failed') },
  );
  const submit = form.handleSubmit(async ({ rows }) => {
    const chosen = rows.filter((row) => row.chosen);
    if (chosen.length > 0 && !(await saving.run(chosen))) return;
    await form.forget();
    step.onDone();
  });
  const count = form.watch('rows').filter((row) => row.chosen).length;
  return (
    <StepFrame
      title={t('welcome.services.title')}
      text={t('welcome.services.text')}
      submit={t('welcome.services.add', { count })}
      isBusy={saving.isRunning}
      onSubmit={() => void submit()}
      {...step}
    >
      <chakra.ul display="grid" gridTemplateColumns={{ base: 'minmax(0, 1fr)', xl: '1fr 1fr' }} columnGap="8">
        {initial.rows.map(({ name }, index) => (
          <Row key={name} form={form} index={index} name={name} currency={settings.currency} />
        ))}
      </chakra.ul>
    </StepFrame>
  );
}

interface RowProps {
  form: DraftForm<Draft>;
  index: number;
  name: string;
  currency: string;
}

function Row({ form, index, name, currency }: RowProps) {
  const { t } = useTranslation();
  const price = useTypedNumber(form, `rows.${index}.price`, amountForm);
  return (
    <Flex as="li" align="flex-start" justify="space-between" gap="3" py="1.5" borderTopWidth="1px" borderColor="border">
      <CheckField label={name} {...form.register(`rows.${index}.chosen`)} />
      <chakra.div width="9rem" flexShrink={0}>
        <MoneyField label={t('welcome.services.price', { name })} labelHidden currency={currency} {...price} />
      </chakra.div>
    </Flex>
  );
}
