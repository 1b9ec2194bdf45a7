import { chakra, Flex } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router-dom';
import { setupSteps as steps } from '#domain/settings/setup.ts';
import type { SetupStep as Step } from '#domain/settings/setup.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import { useKnownSettings } from '#src/local-data/use-clinic-settings.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { useDoneSteps } from '#src/setup/use-setup.ts';
import { StyledButton } from '#src/ui/styled.tsx';
import { DrawerStep } from './drawer-step.tsx';
import { ServicesStep } from './services-step.tsx';
import { ClinicStep, MoneyStep, useSaveSettings } from './settings-steps.tsx';
import { StaffStep } from './staff-step.tsx';

/** Leads a new clinic to its first sale. Once it is finished or skipped, the checklist leads to single steps. */
export function WelcomeScreen() {
  const settings = useKnownSettings();
  const [address] = useSearchParams();
  if (!settings) return null;
  if (settings.setup_finished && !address.has('step')) return <Navigate to={pathOf('admin', 'dashboard')} replace />;
  return <Sequence settings={settings} />;
}

const low = '@media (height < 30rem)';

const stepKey = 'welcome-step';

/** Returns the step of the address, or the one that was left; and how to go to another, or to leave the address without one. */
function useStep(): [Step, (step: Step) => void, () => void] {
  const [address, setAddress] = useSearchParams();
  const wanted = address.get('step') ?? localStorage.getItem(stepKey);
  const go = (step: Step) => {
    localStorage.setItem(stepKey, step);
    setAddress({ step });
  };
  const leave = () => setAddress({}, { replace: true });
  return [steps.find((step) => step === wanted) ?? steps[0], go, leave];
}

/**
 * Gives a clinic whose setup begins the language of the person who sets it up, before anything is named in it. A clinic whose
 * server has chosen another language than the usual one keeps that.
 */
function useFirstLanguage(settings: ClinicSettings): void {
  const { t } = useTranslation();
  const { default_language: language, setup_finished: isFinished } = settings;
  const { run } = useSaveSettings(settings, t('settings.saveFailed'));
  const isUnchosen = language === defaultSettings.default_language && currentLanguage() !== language;
  const mustSave = !isFinished && isUnchosen && localStorage.getItem(stepKey) === null;
  useEffect(() => {
    if (mustSave) void run({ default_language: currentLanguage() });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once: the call is another one at each render.
  }, [mustSave]);
}

function Sequence({ settings }: { settings: ClinicSettings }) {
  const { t } = useTranslation();
  const done = useDoneSteps();
  const [step, go, leave] = useStep();
  const finishing = useSaveSettings(settings, t('settings.saveFailed'));
  useFirstLanguage(settings);
  const at = steps.indexOf(step);
  const finish = async () => {
    if (await finishing.run({ setup_finished: true })) leave();
  };
  const next = steps[at + 1];
  const before = steps[at - 1];
  const ways = { onDone: next ? () => go(next) : () => void finish(), onBack: before && (() => go(before)) };
  const skip = (variant: 'secondary' | 'quiet') =>
    !settings.setup_finished && (
      <StyledButton variant={variant} flexShrink={0} disabled={finishing.isRunning} onClick={() => void finish()}>
        {t('welcome.skip')}
      </StyledButton>
    );
  return (
    <Flex
      direction="column"
      gap={{ base: '4', md: '6' }}
      width="full"
      maxWidth="72rem"
      mx="auto"
      px={{ base: '4', md: '8' }}
      pt={{ base: '4', md: '6' }}
      pb="12"
      // In a low window the first field of a step is in sight.
      css={{ [low]: { gap: '{spacing.2}', paddingTop: '{spacing.2}' } }}
    >
      <Flex justify="space-between" align="flex-start" gap="4" css={{ [low]: { alignItems: 'center' } }}>
        <chakra.div minWidth="0">
          <chakra.h1 fontSize={{ base: 'lg', md: 'xl' }} fontWeight="semibold" lineHeight="tight" letterSpacing="tight">
            {t('welcome.title')}
          </chakra.h1>
          <chakra.p color="fg.muted" mt="1" css={{ [low]: { display: 'none' } }}>
            {t('welcome.text')}
          </chakra.p>
        </chakra.div>
        {/* On a phone it stands below the step, whose fields need the room. */}
        <chakra.div hideBelow="sm">{skip('secondary')}</chakra.div>
      </Flex>
      <chakra.div
        display="grid"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: '15rem minmax(0, 1fr)' }}
        gap={{ base: '4', lg: '8' }}
        alignItems="start"
        css={{ [low]: { rowGap: '{spacing.2}' } }}
      >
        <StepList current={at} done={done} onChoose={go} />
        {step === 'clinic' && <ClinicStep settings={settings} {...ways} />}
        {step === 'money' && <MoneyStep settings={settings} {...ways} />}
        {step === 'services' && <ServicesStep key={settings.default_language} settings={settings} {...ways} />}
        {step === 'staff' && <StaffStep {...ways} />}
        {step === 'drawer' && <DrawerStep isFinishing={finishing.isRunning} {...ways} />}
      </chakra.div>
      <chakra.div hideFrom="sm" alignSelf="center">
        {skip('quiet')}
      </chakra.div>
    </Flex>
  );
}

/** The steps with their names, ticked where there is what they ask for; on a narrow screen only the numbers fit. */
function StepList({
  current,
  done,
  onChoose,
}: {
  current: number;
  done: ReadonlySet<Step> | undefined;
  onChoose: (step: Step) => void;
}) {
  const { t } = useTranslation();
  return (
    <chakra.nav aria-label={t('welcome.steps')}>
      <chakra.ol display="flex" flexDirection={{ base: 'row', lg: 'column' }} gap="1">
        {steps.map((step, index) => (
          <chakra.li key={step} flex={{ base: '1', lg: 'none' }}>
            <chakra.button
              type="button"
              aria-current={index === current ? 'step' : undefined}
              aria-label={t(done?.has(step) ? 'welcome.stepDone' : 'welcome.step', {
                number: index + 1,
                name: t(`welcome.${step}.title`),
              })}
              onClick={() => onChoose(step)}
              display="flex"
              alignItems="center"
              justifyContent={{ base: 'center', lg: 'flex-start' }}
              gap="3"
              width="full"
              minHeight="12"
              px="3"
              borderRadius="md"
              fontWeight="medium"
              textAlign="start"
              color={index === current ? 'accent.fg' : 'fg.muted'}
              bg={index === current ? 'accent.subtle' : undefined}
              cursor="pointer"
              _hover={{ bg: index === current ? 'accent.subtle' : 'bg.hover' }}
            >
              <Flex
                align="center"
                justify="center"
                flexShrink={0}
                width="7"
                height="7"
                borderRadius="full"
                borderWidth="1px"
                borderColor={index === current || done?.has(step) ? 'accent.solid' : 'border.strong'}
                fontSize="sm"
                fontVariantNumeric="tabular-nums"
                aria-hidden
              >
                {done?.has(step) ? <Check size={16} /> : index + 1}
              </Flex>
              <chakra.span hideBelow="lg" aria-hidden>
                {t(`welcome.${step}.title`)}
              </chakra.span>
            </chakra.button>
          </chakra.li>
        ))}
      </chakra.ol>
    </chakra.nav>
  );
}
