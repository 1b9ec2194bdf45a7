import { chakra, Flex } from '@chakra-ui/react';
import { Fingerprint, Lock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useLiveQuery } from '#src/local-data/live.ts';
import { dateTag } from '#domain/language.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import type { VerifierRow } from '#src/db/database.ts';
import { PeopleList } from '#src/auth/people-list.tsx';
import { PinPad } from '#src/auth/pin-pad.tsx';
import { askAhead } from '#src/auth/server-tries.ts';
import { useLockoutText } from '#src/auth/use-lockout-text.ts';
import { followTabs } from '#src/session/idle.ts';
import { peopleHere } from '#src/auth/unlock.ts';
import { Banner } from '#src/ui/banner.tsx';
import { Button, buttonClass } from '#src/ui/button.tsx';
import { useMinute } from '#src/formats/clock.ts';
import { useKnownSettings } from '#src/local-data/use-clinic-settings.ts';
import { LanguageChoice } from '#src/preferences/choices.tsx';
import { db } from '#src/local-data/database.ts';
import { signInAgain } from '#src/session/session.ts';
import { startSyncHost } from '#src/sync/sync-host.ts';
import { PasswordForm } from './password-form.tsx';
import { PinOffer } from './pin-offer.tsx';
import { useUnlock } from './use-unlock.ts';
import type { UnlockFault } from './use-unlock.ts';

/**
 * Covers the whole app until somebody unlocks it. The screen behind it keeps its state, and synchronisation continues.
 *
 * @param present the person whose session is locked, chosen by default
 */
export function LockScreen({ present }: { present: UserClaims }) {
  const { t } = useTranslation();
  const settings = useKnownSettings();
  const people = useLiveQuery(() => peopleHere(db, Date.now()));
  const [email, setEmail] = useState<string | null>(null);
  useEffect(startSyncHost, []);
  useEffect(followTabs, []);
  const chosen =
    people?.find((row) => (email === null ? row.user.id === present.id : row.email === email)) ?? people?.[0];
  return (
    <Flex as="main" direction="column" minHeight="100dvh" p={{ base: '4', md: '6' }}>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr) auto', md: 'auto minmax(0, 1fr) auto auto' }}
        // On a phone the clock stands beside the clinic, so that it does not read as a part of the title.
        gridTemplateAreas={{
          base: '"title language" "clinic clock"',
          md: '"icon title clock language" "icon clinic clock language"',
        }}
        alignItems="center"
        columnGap="3"
        rowGap={{ base: '2', md: '0' }}
      >
        <chakra.span gridArea="icon" hideBelow="md">
          <Lock aria-hidden />
        </chakra.span>
        <chakra.h1 gridArea="title" fontSize="lg" fontWeight="semibold" lineHeight="tight">
          {t('lock.title')}
        </chakra.h1>
        <chakra.p gridArea="clinic" color="fg.muted" minHeight="1.5em" lineHeight="1.35" lineClamp={{ base: 3, md: 1 }}>
          {settings?.practice_name}
        </chakra.p>
        <Clock timeZone={settings?.time_zone} />
        <chakra.div gridArea="language">
          <LanguageChoice />
        </chakra.div>
      </chakra.div>
      <Flex
        direction="column"
        gap={{ base: '4', md: '8' }}
        width="full"
        maxWidth={{ base: '96', md: '48rem' }}
        mx="auto"
        // The place does not depend on the height of the content: a message below the keys does not move them.
        mt={{ base: 'max(1rem, calc((100dvh - 38rem) / 2))', md: 'max(1rem, calc((100dvh - 36rem) / 2))' }}
        mb="4"
      >
        {people?.length === 0 && <Banner>{t('lock.nobody')}</Banner>}
        {people && chosen && (
          <chakra.div
            display="grid"
            gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 20rem' }}
            gap={{ base: '4', md: '12' }}
            alignItems="start"
          >
            <PeopleList people={people} chosen={chosen} onChoose={setEmail} />
            <Opening key={chosen.email} person={chosen} />
          </chakra.div>
        )}
        <chakra.a asChild alignSelf="center">
          <Link to="/login" state={signInAgain} className={buttonClass({ variant: 'quiet' })}>
            {t('lock.somebodyElse')}
          </Link>
        </chakra.a>
      </Flex>
    </Flex>
  );
}

/** The time of the clinic: a locked tablet stands where people look for a clock. */
function Clock({ timeZone }: { timeZone: string | undefined }) {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(dateTag(i18n.language), { timeStyle: 'short', ...(timeZone && { timeZone }) });
  return (
    <chakra.time
      gridArea="clock"
      justifySelf="end"
      fontSize={{ base: 'lg', md: 'xl' }}
      lineHeight="tight"
      fontWeight="semibold"
      fontVariantNumeric="tabular-nums"
    >
      {format.format(useMinute())}
    </chakra.time>
  );
}

/** The PIN pad or password form of one person, and the button of their passkey. */
function Opening({ person }: { person: VerifierRow }) {
  const { t } = useTranslation();
  const { attempt, trying, fault, forgetFault, offer } = useUnlock();
  const [byPassword, setByPassword] = useState(false);
  const { pin, passkey, email, user } = person;
  const withPin = pin !== undefined && !byPassword;
  // What fits in the place of the dots moves nothing; the rest needs a new way in.
  const isShort = withPin && (fault?.code === 'CREDENTIALS_INVALID' || fault?.code === 'LOCKED');
  if (offer) return <PinOffer {...offer} />;
  return (
    <Flex direction="column" gap="4">
      {withPin ? (
        <PinPad
          digits={pin.digits}
          disabled={trying}
          note={isShort && fault && <FaultText fault={fault} />}
          onKey={() => {
            forgetFault();
            askAhead(db, Date.now(), user.id);
          }}
          onFull={(text) => void attempt(email, { kind: 'pin', text })}
        />
      ) : (
        <PasswordForm
          person={person}
          disabled={trying}
          onSubmit={(text) => void attempt(email, { kind: 'password', text })}
        />
      )}
      {passkey && (
        <Button wide disabled={trying} onClick={() => void attempt(email, { kind: 'passkey' })}>
          <Fingerprint aria-hidden />
          {t('lock.usePasskey')}
        </Button>
      )}
      {/* Below the keys, so that the keys don't move under the finger. */}
      {fault && fault.code !== 'CANCELLED' && !isShort && (
        <Banner tone="refused">
          <FaultText fault={fault} />
        </Banner>
      )}
      {pin && (
        <Button
          variant="quiet"
          wide
          onClick={() => {
            forgetFault();
            setByPassword(!byPassword);
          }}
        >
          {t(withPin ? 'lock.usePassword' : 'lock.usePin')}
        </Button>
      )}
    </Flex>
  );
}

function FaultText({ fault }: { fault: Exclude<UnlockFault, { code: 'CANCELLED' }> }) {
  const { t } = useTranslation();
  const lockoutText = useLockoutText();
  if (fault.code === 'LOCKED') return lockoutText(fault.waitMs);
  if (fault.code === 'CREDENTIALS_INVALID') return t(fault.kind === 'pin' ? 'lock.wrongPin' : 'lock.wrongPassword');
  return t(`lock.${fault.code}`);
}
