import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveQuery } from '#src/local-data/live.ts';
import { lock } from '#src/session/session.ts';
import { useDebounced } from '#src/ui/use-debounced.ts';
import { addressOf, inMenu } from '../sections.tsx';
import type { Section, SectionName } from '../sections.tsx';
import { useUser } from '../shells/signed-in.tsx';
import { findHere, findStaff, matching } from './finds.ts';
import type { Find } from './finds.ts';

/** The server is asked for staff when the typing rests. */
const settledMs = 250;

/** Returns what matches the text, in the order of the kinds; for no text, the pages and actions. */
export function useFinds(text: string, sections: readonly Section[]): Find[] {
  const { t } = useTranslation();
  const { role } = useUser();
  const settled = useDebounced(text, settledMs);
  const [staff, setStaff] = useState<{ text: string; finds: Find[] }>({ text: '', finds: [] });
  const here = useLiveQuery(() => (text ? findHere(text, role) : []), [text, role]) ?? [];
  useEffect(() => {
    if (!settled) return;
    let isCurrent = true;
    void findStaff(settled).then((finds) => isCurrent && setStaff({ text: settled, finds }));
    return () => {
      isCurrent = false;
    };
  }, [settled]);
  const shown = [...inMenu(sections, 'main'), ...inMenu(sections, 'account')];
  const pages = shown.map(({ name, path }): Find => ({
    kind: 'page',
    id: name,
    title: t(`shell.sections.${name}`),
    path: addressOf(role, path, sections),
  }));
  const has = (name: SectionName) => sections.some((section) => section.name === name);
  const actions: Find[] = [
    ...(has('expenses') ? [{ id: 'expense', title: t('expenses.add'), path: 'expenses?expense=new' }] : []),
    ...(has('services') ? [{ id: 'service', title: t('services.add'), path: 'services?service=new' }] : []),
    ...(has('stock') ? [{ id: 'item', title: t('stock.add'), path: 'stock?tab=inventory&item=new' }] : []),
    ...(has('purchasing') ? [{ id: 'order', title: t('purchasing.create'), path: 'purchase-orders?order=new' }] : []),
    ...(has('rooms') ? [{ id: 'room', title: t('rooms.add'), path: 'rooms?room=new' }] : []),
    { id: 'lock', title: t('shell.lock'), run: lock },
  ].map((action) => ({ kind: 'action', ...action }));
  const people = staff.text === text ? staff.finds : [];
  return [...matching([...pages, ...actions], text), ...here, ...people];
}
