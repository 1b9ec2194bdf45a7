import { chakra, Flex } from '@chakra-ui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PeopleList } from '../auth/people-list.tsx';
import { PinPad } from '../auth/pin-pad.tsx';
import { useLockoutText } from '../auth/use-lockout-text.ts';
import { browserPorts } from '../db/ports.ts';
import type { Approver } from '../db/proof.ts';
import { db } from '../local-data/database.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { ApprovalRequest } from './approval.ts';
import { approversHere, openApprover } from './approver.ts';
import type { ApprovalFault, PersonWithPin } from './approver.ts';

interface ApprovalDialogProps extends ApprovalRequest {
  settle: (approver: Approver | null) => void;
}

/** Has a second person choose their name and type their PIN. The signed-in person stays signed in. */
export function ApprovalDialog({ action, title, text, settle }: ApprovalDialogProps) {
  const { t } = useTranslation();
  const actorId = useSession(({ user }) => user?.id ?? 0);
  const people = useLiveQuery(() => approversHere(db, { action, actorId }, Date.now()), [action, actorId]);
  const [email, setEmail] = useState<string | null>(null);
  const chosen = people?.find((person) => person.email === email) ?? people?.[0];
  const choice = people && people.length > 1 && <PeopleList people={people} chosen={chosen} onChoose={setEmail} />;
  const cancel = <Button onClick={() => settle(null)}>{t('approval.cancel')}</Button>;
  return (
    <Dialog
      open
      onClose={() => settle(null)}
      title={t('approval.title')}
      width={choice ? '44rem' : '24rem'}
      actions={people && cancel}
    >
      <div>
        <chakra.p fontWeight="medium" overflowWrap="anywhere">
          {title}
        </chakra.p>
        <chakra.p color="fg.muted" overflowWrap="anywhere">
          {text}
        </chakra.p>
      </div>
      {people && !chosen && <chakra.p>{t('approval.nobody')}</chakra.p>}
      {chosen && (
        <chakra.div
          display="grid"
          gridTemplateColumns={choice ? { base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 20rem' } : 'minmax(0, 1fr)'}
          gap={{ base: '4', md: '8' }}
          alignItems="start"
        >
          {choice}
          <Opening
            key={chosen.email}
            person={chosen}
            open={(pin) => openApprover(db, browserPorts, { email: chosen.email, pin, action, actorId })}
            onApprove={settle}
          />
        </chakra.div>
      )}
    </Dialog>
  );
}

interface OpeningProps {
  person: PersonWithPin;
  open: (pin: string) => ReturnType<typeof openApprover>;
  onApprove: (approver: Approver) => void;
}

/** Takes the PIN of one person, one attempt at a time. */
function Opening({ person: { user, pin }, open, onApprove }: OpeningProps) {
  const { t } = useTranslation();
  const [trying, setTrying] = useState(false);
  const [fault, setFault] = useState<ApprovalFault | null>(null);

  async function attempt(typed: string): Promise<void> {
    setTrying(true);
    setFault(null);
    const answer = await open(typed);
    setTrying(false);
    if (answer.ok) onApprove(answer.approver);
    else setFault(answer);
  }

  return (
    <Flex direction="column" gap="2">
      {/* Two lines high, so that the keys do not move under the finger. */}
      <chakra.output display="block" minHeight="12" textAlign="center" color={fault ? 'refused.fg' : undefined}>
        {fault ? <FaultText fault={fault} /> : t(trying ? 'approval.checking' : 'approval.pinOf', { name: user.name })}
      </chakra.output>
      <PinPad
        digits={pin.digits}
        disabled={trying}
        onKey={() => setFault(null)}
        onFull={(typed) => void attempt(typed)}
      />
    </Flex>
  );
}

function FaultText({ fault }: { fault: ApprovalFault }) {
  const { t } = useTranslation();
  const lockoutText = useLockoutText();
  if (fault.code === 'LOCKED') return lockoutText(fault.waitMs);
  if (fault.code === 'CREDENTIALS_INVALID') return t('lock.wrongPin');
  return t(`approval.${fault.code}`);
}
