/* oxlint-disable jsx-a11y/prefer-tag-over-role -- The browser's own list can neither search patients nor show phone numbers. */
import { useLiveQuery } from 'dexie-react-hooks';
import { UserRound, UserRoundPlus } from 'lucide-react';
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { db } from '../../../local-data/database.ts';
import type { PlannedPatient } from '../../../db/commands/patients.ts';
import { arePatientsPartial, findPatients } from '../../../db/queries/patients.ts';
import { useMay } from '../../../session/session.ts';
import { classes } from '../../../ui/classes.ts';
import { TextField } from '../../../ui/text-field.tsx';
import textStyles from '../../../ui/text.module.css';
import styles from './patient-field.module.css';

const { srOnly, truncate } = textStyles;

const offered = 6;

interface PatientFieldProps {
  text: string;
  onText: (text: string) => void;
  onChoose: (patient: PlannedPatient) => void;
  /** Opens the form of a new patient, which begins with the text. */
  onNew: () => void;
}

/**
 * Names who is treated: a typed name stands as it is, and patients who match it are offered below, by name or by phone
 * number. The arrow keys move through the offers; nobody is chosen by Enter alone, because a wrong name prints.
 */
export function PatientField({ text, onText, onChoose, onNew }: PatientFieldProps) {
  const { t } = useTranslation();
  const listId = useId();
  const mayRead = useMay('patient.read');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const sought = mayRead && isOpen ? text.trim() : '';
  const found = useLiveQuery(async () => (sought ? findPatients(db, { text: sought, limit: offered }) : []), [sought]);
  const patients = found ?? [];
  const isPartial = useLiveQuery(async () => sought !== '' && (await arePatientsPartial(db)), [sought]) ?? false;
  const isShown = sought !== '';

  function close() {
    setOpen(false);
    setActive(-1);
  }
  /** Offer 0 is the form of a new patient: at the top, because it must not move while somebody types. */
  function take(index: number) {
    close();
    const chosen = patients[index - 1];
    if (chosen) onChoose({ id: chosen.id, name: chosen.name, phone: chosen.phone, isKnown: true });
    else onNew();
  }
  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (!isShown) {
      if (event.key === 'ArrowDown') setOpen(true);
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      const count = patients.length + 1;
      const begin = step > 0 ? Math.min(1, count - 1) : count - 1;
      setActive((now) => (now < 0 ? begin : (now + step + count) % count));
    } else if (event.key === 'Enter' && active >= 0) take(active);
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
        onClick={() => setOpen(true)}
        onBlur={close}
        onKeyDown={press}
      />
      {isShown && (
        <div
          id={listId}
          role="listbox"
          tabIndex={-1}
          aria-label={t('patients.found')}
          className={styles['list']}
          // The field keeps the focus, so that a tap does not close the list before it chooses.
          onMouseDown={(event) => event.preventDefault()}
        >
          <Offer id={`${listId}-0`} isActive={active === 0} onTake={() => take(0)}>
            <span className={styles['new']}>
              <UserRoundPlus size={20} aria-hidden />
              {t('patients.new')}
            </span>
          </Offer>
          {patients.map(({ name, phone }, at) => (
            <Offer
              // The place as key: the next result changes the offers where they are instead of moving them.
              key={at}
              id={`${listId}-${at + 1}`}
              isActive={active === at + 1}
              onTake={() => take(at + 1)}
            >
              <span className={classes(styles['name'], truncate)} title={name}>
                {name}
              </span>
              <span className={styles['phone']}>{phone || t('patients.noPhone')}</span>
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
        {isShown && found ? t('patients.announce', { count: patients.length }) : ''}
        {isShown && isPartial ? ` ${t('patients.partial')}` : ''}
      </output>
    </div>
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
