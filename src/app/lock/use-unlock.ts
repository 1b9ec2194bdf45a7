import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { browserPorts } from '#src/db/ports.ts';
import { verifyPin } from '#src/auth/pin.ts';
import type { PinAnswer } from '#src/auth/pin.ts';
import type { PasskeyAnswer } from '#src/auth/passkey.ts';
import { useSession } from '#src/session/session.ts';
import { enter } from '#src/auth/unlock.ts';
import { verifyOffline } from '#src/auth/verifier.ts';
import { db } from '#src/local-data/database.ts';
import { sectionsFor } from '../sections.tsx';
import { pathOf } from '#src/navigation/path-of.ts';
import { isPinDue } from './pin-offer.tsx';

export type Secret = { kind: 'pin' | 'password'; text: string } | { kind: 'passkey' };

type Answer = PinAnswer | PasskeyAnswer;
type Opened = Extract<Answer, { ok: true }>;

export type UnlockFault = Exclude<Answer, { ok: true }> & { kind: Secret['kind'] };

async function verify(email: string, secret: Secret): Promise<Answer> {
  if (secret.kind === 'pin') return verifyPin(db, browserPorts, { email, pin: secret.text });
  if (secret.kind === 'password') return verifyOffline(db, browserPorts, { email, password: secret.text });
  const { verifyPasskey } = await import('#src/auth/passkey.ts');
  return verifyPasskey(db, browserPorts, { email, signsIn: true });
}

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

async function enterBy(answer: Opened): Promise<void> {
  // Only a passkey, which has loaded this code, proves its person to the server.
  if (!('proof' in answer)) return enter(db, answer, browserPorts.now());
  const { enterByPasskey } = await import('#src/auth/passkey-sign-in.ts');
  return enterByPasskey({ db, ports: browserPorts }, answer);
}

/** Verifies a PIN, password or passkey, one attempt at a time. */
export function useUnlock() {
  const navigate = useNavigate();
  const [trying, setTrying] = useState(false);
  const [fault, setFault] = useState<UnlockFault | null>(null);
  const [offer, setOffer] = useState<{ answer: Opened; password: string } | null>(null);
  async function attempt(email: string, secret: Secret): Promise<void> {
    if (trying) return;
    setTrying(true);
    setFault(null);
    const answer = await verify(email, secret).catch(giveUp);
    const asksPin = answer.ok && secret.kind === 'password' && isPinDue(answer.row);
    if (answer.ok && !asksPin) return open(answer).catch(giveUp);
    setTrying(false);
    if (!answer.ok) setFault({ ...answer, kind: secret.kind });
    else if (asksPin) setOffer({ answer, password: secret.text });
  }
  // A screen that is about to go is not drawn again.
  function giveUp(error: unknown): never {
    setTrying(false);
    throw error;
  }
  async function open(answer: Opened): Promise<void> {
    const before = useSession.getState();
    await enterBy(answer);
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
