import { chakra, Flex } from '@chakra-ui/react';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PeopleList } from '../auth/people-list.tsx';
import { PinPad } from '../auth/pin-pad.tsx';
import { askAhead } from '../auth/server-tries.ts';
import { useLockoutText } from '../auth/use-lockout-text.ts';
import { browserPorts } from '../db/ports.ts';
import type { VerifierRow } from '../db/database.ts';
import type { Approver } from '../db/proof.ts';
import { db } from '../local-data/database.ts';
import { useLiveQuery } from '../local-data/live.ts';
import { useSession } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { ApprovalRequest } from './approval.ts';
import { approversHere, openApprover } from './approver.ts';
import type { ApprovalFault, ApproverSecret } from './approver.ts';

interface ApprovalDialogProps extends ApprovalRequest {
  settle: (approver: Approver | null) => void;
}

/** Has a second person choose their name, and type their PIN or use their passkey. The signed-in person stays signed in. */
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
            open={(secret) => openApprover(db, browserPorts, { email: chosen.email, secret, action, actorId })}
            onApprove={settle}
          />
        </chakra.div>
      )}
    </Dialog>
  );
}

/** Somebody who confirms nothing learns nothing. */
type ShownFault = Exclude<ApprovalFault, { code: 'CANCELLED' }>;

interface OpeningProps {
  person: VerifierRow;
  open: (secret: ApproverSecret) => ReturnType<typeof openApprover>;
  onApprove: (approver: Approver) => void;
}

/** Takes the PIN or the passkey of one person, one attempt at a time. */
function Opening({ person: { user, pin, passkey }, open, onApprove }: OpeningProps) {
  const { t } = useTranslation();
  const [trying, setTrying] = useState(false);
  const [fault, setFault] = useState<ShownFault | null>(null);

  async function attempt(secret: ApproverSecret): Promise<void> {
    setTrying(true);
    setFault(null);
    const answer = await open(secret);
    setTrying(false);
    if (answer.ok) onApprove(answer.approver);
    else if (answer.code !== 'CANCELLED') setFault(answer);
  }

  return (
    <Flex direction="column" gap="2">
      {/* Two lines high, so that the keys do not move under the finger. */}
      <chakra.output display="block" minHeight="12" textAlign="center" color={fault ? 'refused.fg' : undefined}>
        {fault ? (
          <FaultText fault={fault} />
        ) : (
          t(trying ? 'approval.checking' : pin ? 'approval.pinOf' : 'approval.passkeyOf', { name: user.name })
        )}
      </chakra.output>
      {pin && (
        <PinPad
          digits={pin.digits}
          disabled={trying}
          onKey={() => {
            setFault(null);
            askAhead(db, Date.now(), user.id);
          }}
          onFull={(text) => void attempt({ kind: 'pin', text })}
        />
      )}
      {passkey && (
        <Button wide disabled={trying} onClick={() => void attempt({ kind: 'passkey' })}>
          <Fingerprint aria-hidden />
          {t('approval.usePasskey')}
        </Button>
      )}
    </Flex>
  );
}

function FaultText({ fault }: { fault: ShownFault }) {
  const { t } = useTranslation();
  const lockoutText = useLockoutText();
  if (fault.code === 'LOCKED') return lockoutText(fault.waitMs);
  if (fault.code === 'CREDENTIALS_INVALID') return t('lock.wrongPin');
  return t(`approval.${fault.code}`);
}
