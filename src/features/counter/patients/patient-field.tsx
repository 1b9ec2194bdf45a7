/* oxlint-disable jsx-a11y/prefer-tag-over-role -- The browser's own list can neither search patients nor show phone numbers. */
import { useLiveQuery } from '#src/local-data/live.ts';
import { TextCursorInput, UserRound, UserRoundPlus } from 'lucide-react';
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '#src/local-data/database.ts';
import type { PlannedPatient } from '#src/db/commands/patients.ts';
import type { PatientRow } from '#src/db/database.ts';
import { arePatientsPartial, findPatients, recentPatients } from '#src/db/queries/patients.ts';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { classes } from '#src/ui/classes.ts';
import { TextField } from '#src/ui/text-field.tsx';
import textStyles from '#src/ui/text.module.css';
import styles from './patient-field.module.css';

const { srOnly, truncate } = textStyles;

const offered = 6;

interface PatientFieldProps {
  text: string;
  onText: (text: string) => void;
  onChoose: (patient: PlannedPatient) => void;
  /** Uses the text as a name without a patient. */
  onName: (name: string) => void;
  /** Opens the form of a new patient, which begins with the text. */
  onNew: () => void;
}

/**
 * Looks for who is treated: patients who match are offered below, by name or by phone number, and the recent ones before
 * anything is typed. The arrow keys move through the offers. Text names somebody only when it is confirmed: by its own offer,
 * by the button that stays when somebody goes on, or by Enter where no patient matches, because a wrong name prints.
 */
export function PatientField({ text, onText, onChoose, onName, onNew }: PatientFieldProps) {
  const { t } = useTranslation();
  const listId = useId();
  const mayRead = useMay('patient.read');
  const inDetails = useMay('patient.details');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const sought = text.trim();
  const asked = mayRead && isOpen;
  const found = useLiveQuery(async () => {
    if (!asked) return [];
    return sought
      ? findPatients(db, { text: sought, limit: offered, inDetails })
      : recentPatients(db, { limit: offered });
  }, [asked, sought, inDetails]);
  const patients = found ?? [];
  const isPartial = useLiveQuery(async () => asked && sought !== '' && (await arePatientsPartial(db)), [asked, sought]);
  const isName = /\p{L}/u.test(sought);
  // The two that do not depend on the search come first, because they must not move while somebody types.
  const offers: Offered[] = [
    ...(mayRead ? [{ kind: 'new' } as const] : []),
    ...(isName ? [{ kind: 'name' } as const] : []),
    ...patients.map((patient) => ({ kind: 'patient', patient }) as const),
  ];
  const isShown = isOpen && offers.length > 0;

  function close() {
    setOpen(false);
    setActive(-1);
  }
  function take(offer: Offered) {
    close();
    if (offer.kind === 'new') onNew();
    else if (offer.kind === 'name') onName(sought);
    else {
      const { id, name, phone } = offer.patient;
      onChoose({ id, name, phone, isKnown: true });
    }
  }
  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (!isShown) {
      if (event.key === 'ArrowDown') setOpen(true);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const count = offers.length;
      const begin =
        step > 0
          ? Math.max(
              0,
              offers.findIndex(({ kind }) => kind === 'patient'),
            )
          : count - 1;
      setActive((now) => (now < 0 ? begin : (now + step + count) % count));
    } else if (event.key === 'Enter' && offers[active]) take(offers[active]);
    else if (event.key === 'Enter' && isName && found?.length === 0) take({ kind: 'name' });
    else if (event.key === 'Enter' || event.key === 'Escape') close();
    else return;
    event.preventDefault();
  }

  return (
    <div className={styles['field']}>
      <TextField
        role="combobox"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        label={t('counter.plan.customer')}
        labelHidden
        placeholder={t(mayRead ? 'patients.field' : 'counter.plan.customer')}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="words"
        spellCheck={false}
        start={<UserRound size={20} />}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setOpen(true);
          setActive(-1);
        }}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={close}
        onKeyDown={press}
        data-unconfirmed={!isOpen && sought !== ''}
        end={
          !isOpen &&
          isName && (
            <Button size="sm" variant="quiet" className={styles['confirm']} onClick={() => onName(sought)}>
              {t('patients.nameOnly')}
            </Button>
          )
        }
      />
      {isShown && (
        <div
          id={listId}
          role="listbox"
          tabIndex={-1}
          aria-label={t(sought ? 'patients.found' : 'patients.recent')}
          className={styles['list']}
          // The field keeps the focus, so that a tap does not close the list before it chooses.
          onMouseDown={(event) => event.preventDefault()}
        >
          {offers.map((offer, at) => (
            // The place of a patient as key: the next result changes the offers where they are instead of moving them.
            <Offer
              key={offer.kind === 'patient' ? at : offer.kind}
              id={`${listId}-${at}`}
              isActive={active === at}
              onTake={() => take(offer)}
            >
              <OfferText offer={offer} text={sought} />
            </Offer>
          ))}
          {isPartial && (
            <div role="option" aria-disabled aria-selected={false} className={styles['partial']}>
              {t('patients.partial')}
            </div>
          )}
        </div>
      )}
      <output className={srOnly}>
        {isShown && sought && found ? t('patients.announce', { count: patients.length }) : ''}
        {isShown && isPartial ? ` ${t('patients.partial')}` : ''}
      </output>
    </div>
  );
}

type Offered = { kind: 'new' } | { kind: 'name' } | { kind: 'patient'; patient: PatientRow };

function OfferText({ offer, text }: { offer: Offered; text: string }) {
  const { t } = useTranslation();
  if (offer.kind === 'new') {
    return (
      <span className={styles['new']}>
        <UserRoundPlus size={20} aria-hidden />
        {t('patients.new')}
      </span>
    );
  }
  if (offer.kind === 'name') {
    return (
      <span className={styles['typed']}>
        <TextCursorInput size={20} aria-hidden />
        <span className={truncate}>{text}</span>
        <span className={styles['phone']}>{t('patients.nameOnly')}</span>
      </span>
    );
  }
  const { name, phone } = offer.patient;
  return (
    <>
      <span className={classes(styles['name'], truncate)} title={name}>
        {name}
      </span>
      <span className={styles['phone']}>{phone || t('patients.noPhone')}</span>
    </>
  );
}

interface OfferProps {
  id: string;
  isActive: boolean;
  onTake: () => void;
  children: ReactNode;
}

function Offer({ id, isActive, onTake, children }: OfferProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field handles the keys for its list.
    <div id={id} role="option" tabIndex={-1} aria-selected={isActive} onClick={onTake} className={styles['offer']}>
      {children}
    </div>
  );
}
