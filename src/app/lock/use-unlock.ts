import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { browserPorts } from '../../db/ports.ts';
import { verifyPin } from '../../auth/pin.ts';
import type { PinAnswer } from '../../auth/pin.ts';
import { useSession } from '../../session/session.ts';
import { enter } from '../../auth/unlock.ts';
import { verifyOffline } from '../../auth/verifier.ts';
import { db } from '../../local-data/database.ts';
import { sectionsFor } from '../sections.tsx';
import { pathOf } from '../../navigation/path-of.ts';
import { isPinDue } from './pin-offer.tsx';

export type Secret = { kind: 'pin' | 'password'; text: string };

type Opened = Extract<PinAnswer, { ok: true }>;

export type UnlockFault = Exclude<PinAnswer, { ok: true }> & { kind: Secret['kind'] };

/** Returns the path of the same section for the person who unlocked; `/` if they can't open that section. */
function sameSection(pathname: string, before: ReturnType<typeof useSession.getState>): string {
  const { user, mode } = useSession.getState();
  const here = before.user && before.mode && sectionsFor(before.user.role, before.mode);
  const at = here?.find(
    ({ path }, index) => pathname === pathOf(before.user!.role, path) || (index === 0 && pathname === '/'),
  );
  const same = user && mode && sectionsFor(user.role, mode).find(({ name }) => name === at?.name);
  return same ? pathOf(user.role, same.path) : '/';
}

/** Verifies a PIN or password, one attempt at a time. */
export function useUnlock() {
  const navigate = useNavigate();
  const [trying, setTrying] = useState(false);
  const [fault, setFault] = useState<UnlockFault | null>(null);
  const [offer, setOffer] = useState<{ answer: Opened; password: string } | null>(null);
  async function attempt(email: string, { kind, text }: Secret): Promise<void> {
    if (trying) return;
    setTrying(true);
    setFault(null);
    const answer = await (kind === 'pin'
      ? verifyPin(db, browserPorts, { email, pin: text })
      : verifyOffline(db, browserPorts, { email, password: text }));
    setTrying(false);
    if (!answer.ok) return setFault({ ...answer, kind });
    if (kind === 'password' && isPinDue(answer.row)) return setOffer({ answer, password: text });
    await open(answer);
  }
  async function open(answer: Opened): Promise<void> {
    const before = useSession.getState();
    await enter(db, answer, browserPorts.now());
    // Another person may have other sections; the open section stays open if they have it as well.
    if (before.user?.id !== answer.row.user.id)
      await navigate(sameSection(location.pathname, before), { replace: true });
  }
  return {
    attempt,
    trying,
    fault,
    forgetFault: () => setFault(null),
    /** What the screen offers before it opens: a PIN. */
    offer: offer && { person: offer.answer.row, password: offer.password, onDone: () => void open(offer.answer) },
  };
}
