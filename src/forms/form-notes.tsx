import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { faultText } from '../api/client.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { intoView } from '../ui/into-view.ts';
import type { FormRefusal, Meanwhile } from './draft-form.ts';
import { AskedPicture } from './asked-picture.tsx';
import { chosenFile } from './edited-record.ts';
import type { EditedRecord, FieldView } from './edited-record.ts';
import { linesBeside } from './lines-beside.ts';
import type { MarkedLine } from './lines-beside.ts';

export interface NotedForm<Draft extends FieldValues> extends Pick<UseFormReturn<Draft>, 'watch'> {
  wasRestored: boolean;
  startOver: () => void;
  formState: { isSubmitting: boolean };
  record: EditedRecord<Draft> | undefined;
  meanwhile: Meanwhile<Draft>;
  settle: (field: Extract<keyof Draft, string>, isMine: boolean) => void;
  refusal: FormRefusal | null;
}

/** Returns whether a form has something to tell above its fields. */
export const hasNotes = <Draft extends FieldValues>({ wasRestored, meanwhile, refusal }: NotedForm<Draft>): boolean =>
  wasRestored || refusal !== null || meanwhile.followed.length > 0 || meanwhile.asked.length > 0;

interface FormNotesProps<Draft extends FieldValues> {
  form: NotedForm<Draft>;
  /** Why nothing can be saved any more. */
  over?: string | undefined;
}

/**
 * Tells that a form shows a restored draft, what others have changed since, and why it was refused, and asks what both have
 * changed.
 */
export function FormNotes<Draft extends FieldValues>({ form, over }: FormNotesProps<Draft>) {
  const { t } = useTranslation();
  const { wasRestored, startOver, formState, record, meanwhile, refusal } = form;
  const told = useTold(record, meanwhile);
  const text = told.length > 0 && t('form.meanwhile.since', { changes: told.join(', ') });
  if (over !== undefined)
    return (
      <Told title={over}>
        {t('form.over')}
        {text && ` ${text}`}
      </Told>
    );
  return (
    <>
      {refusal && <Told title={refusal.title}>{faultText(t, refusal.fault)}</Told>}
      {(wasRestored || text) && (
        <Banner
          tone="accent"
          title={wasRestored ? t('form.restored') : undefined}
          actions={
            wasRestored && (
              <Button size="sm" disabled={formState.isSubmitting} onClick={startOver}>
                {t('form.discard')}
              </Button>
            )
          }
        >
          {text}
        </Banner>
      )}
      {record && meanwhile.asked.length > 0 && <Asked form={form} record={record} />}
    </>
  );
}

/** A refusal above the fields. */
function Told({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div ref={intoView}>
      <Banner tone="refused" title={title}>
        {children}
      </Banner>
    </div>
  );
}

/** Returns what others have changed beside the form, in words. */
function useTold<Draft extends FieldValues>(
  record: EditedRecord<Draft> | undefined,
  { followed, stored }: Meanwhile<Draft>,
): string[] {
  const { t } = useTranslation();
  const textOf = useTextOf();
  if (!record || followed.length === 0) return [];
  const now = record.draftOf(stored);
  return followed.flatMap((field) => {
    const view = record.views[field];
    return view ? [t('form.meanwhile.isNow', { field: view.label, value: textOf(view, now[field]) })] : [];
  });
}

function useTextOf(): (view: FieldView | undefined, value: unknown) => string {
  const { t } = useTranslation();
  return (view, value) => {
    const isNone = value === null || value === undefined || Number.isNaN(value);
    const text = isNone
      ? ''
      : view?.text
        ? view.text(value as never)
        : typeof value === 'string'
          ? value
          : JSON.stringify(value);
    return text.trim() === '' ? t('form.meanwhile.empty') : text;
  };
}

const halves = 'repeat(2, minmax(0, 1fr))';

function Line({ text, differs }: MarkedLine) {
  const { t } = useTranslation();
  if (!differs) return <chakra.p minHeight="1lh">{text}</chakra.p>;
  return (
    <chakra.p minHeight="1lh">
      <chakra.mark bg="due.subtle" color="inherit" fontWeight="semibold">
        {text}
      </chakra.mark>
      <chakra.span srOnly>{` (${t('form.meanwhile.differs')})`}</chakra.span>
    </chakra.p>
  );
}

/** The fields that the person and others have changed, side by side. */
function Asked<Draft extends FieldValues>({ form, record }: { form: NotedForm<Draft>; record: EditedRecord<Draft> }) {
  const { t } = useTranslation();
  const textOf = useTextOf();
  const { meanwhile, settle, watch, formState } = form;
  const now = record.draftOf(meanwhile.stored);
  const mine = watch();
  return (
    <chakra.section
      data-asked
      tabIndex={-1}
      role="alert"
      aria-label={t('form.meanwhile.title')}
      display="flex"
      flexDirection="column"
      gap="4"
      p="4"
      bg="due.subtle"
      borderWidth="1px"
      borderColor="due.border"
      borderRadius="md"
      scrollMarginTop="4"
    >
      <div>
        <chakra.p fontWeight="semibold">{t('form.meanwhile.title')}</chakra.p>
        <chakra.p fontSize="sm">{t('form.meanwhile.text')}</chakra.p>
      </div>
      {meanwhile.asked.map((field) => {
        const view = record.views[field];
        const label = view?.label ?? field;
        const [mineText, theirsText] = [textOf(view, mine[field]), textOf(view, now[field])];
        const pictureOf = (of: Draft): File | string | null =>
          view?.picture ? (chosenFile(record, of, field) ?? of[field]) : null;
        const isList = [mineText, theirsText].some((text) => text.includes('\n'));
        const choice = (isMine: boolean) => {
          const picture = pictureOf(isMine ? mine : now);
          const text = isMine ? mineText : theirsText;
          return (
            <chakra.div
              minWidth="0"
              display="flex"
              flexDirection="column"
              gap="1"
              p="3"
              bg="bg.surface"
              borderRadius="md"
            >
              <chakra.dt fontSize="sm" color="fg.muted">
                {t(isMine ? 'form.meanwhile.mine' : 'form.meanwhile.theirs')}
              </chakra.dt>
              <chakra.dd overflowWrap="anywhere" flex="1">
                {picture && <AskedPicture of={picture} isPrivate={view?.picture?.isPrivate ?? false} text={text} />}
                {!picture &&
                  (isMine ? linesBeside(mineText, theirsText) : linesBeside(theirsText, mineText)).map(
                    (line, index) => <Line key={index} {...line} />,
                  )}
              </chakra.dd>
              <chakra.div mt="2">
                <Button
                  wide
                  aria-label={`${t(isMine ? 'form.meanwhile.keepMine' : 'form.meanwhile.takeTheirs')}: ${label}`}
                  disabled={formState.isSubmitting}
                  onClick={() => settle(field, isMine)}
                >
                  {t(isMine ? 'form.meanwhile.keepMine' : 'form.meanwhile.takeTheirs')}
                </Button>
              </chakra.div>
            </chakra.div>
          );
        };
        return (
          <div key={field}>
            <chakra.h3 fontSize="md" fontWeight="medium" mb="2">
              {label}
            </chakra.h3>
            <chakra.dl
              display="grid"
              gridTemplateColumns={isList ? { base: 'minmax(0, 1fr)', sm: halves } : halves}
              gap="3"
            >
              {choice(true)}
              {choice(false)}
            </chakra.dl>
          </div>
        );
      })}
    </chakra.section>
  );
}
