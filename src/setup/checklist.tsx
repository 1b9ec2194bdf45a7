import { chakra, Flex } from '@chakra-ui/react';
import { ChevronRight, Circle, CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { optionalSteps, setupSteps } from '#domain/settings/setup.ts';
import { pathOf } from '../navigation/path-of.ts';
import { Panel } from '../ui/panel.tsx';
import { Rows } from '../ui/panel-rows.tsx';
import { useDoneSteps } from './use-setup.ts';

/** What a new clinic still has to set up. It stays until everything is done that has to be. */
export function SetupChecklist() {
  const { t } = useTranslation();
  const done = useDoneSteps();
  if (!done || setupSteps.every((step) => done.has(step) || optionalSteps.includes(step))) return null;
  return (
    <Panel title={t('welcome.checklist.title', { done: done.size, count: setupSteps.length })}>
      <Rows>
        {setupSteps.map((step) => {
          const isDone = done.has(step);
          const name = t(`welcome.${step}.title`);
          return (
            <chakra.li key={step} css={{ '&&': { padding: 0 } }}>
              <chakra.a
                asChild
                display="flex"
                alignItems="center"
                gap="3"
                px="4"
                minHeight="12"
                color={isDone ? 'fg.muted' : 'fg'}
                _hover={{ bg: 'bg.hover' }}
              >
                <Link to={`${pathOf('admin', 'welcome')}?step=${step}`}>
                  <Flex color={isDone ? 'accent.fg' : 'fg.muted'} flexShrink={0}>
                    {isDone ? <CircleCheck size={20} aria-hidden /> : <Circle size={20} aria-hidden />}
                  </Flex>
                  <chakra.span flex="1" minWidth="0" fontWeight={isDone ? undefined : 'medium'}>
                    {name}
                    <chakra.span
                      srOnly
                    >{` ${t(isDone ? 'welcome.checklist.done' : 'welcome.checklist.open')}`}</chakra.span>
                  </chakra.span>
                  {optionalSteps.includes(step) && !isDone && (
                    <chakra.span fontSize="sm" color="fg.muted">
                      {t('welcome.checklist.optional')}
                    </chakra.span>
                  )}
                  <ChevronRight size={18} aria-hidden />
                </Link>
              </chakra.a>
            </chakra.li>
          );
        })}
      </Rows>
    </Panel>
  );
}
