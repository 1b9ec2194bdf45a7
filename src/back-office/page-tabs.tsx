import { chakra } from '@chakra-ui/react';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { TabBar } from '../ui/tab-bar.tsx';
import type { Tab } from '../ui/tab-bar.tsx';
import { HeadLine } from './page-frame.tsx';

interface PageTabsProps<Value extends string> {
  /** Id of the panel. */
  id: string;
  /** Accessible name of the bar. */
  label: string;
  tabs: readonly Tab<Value>[];
  chosen: Value;
  onChange: (value: Value) => void;
  /** Content of the chosen tab. */
  children: ReactNode;
}

/** The tabs of a page, from edge to edge or beside its heading, and below them what the chosen one shows. */
export function PageTabs<Value extends string>({ id, label, tabs, chosen, onChange, children }: PageTabsProps<Value>) {
  return (
    <HeadLine
      needsRoom={tabs.length > 3 && 50}
      bar={
        <TabBar
          label={label}
          panelId={id}
          value={chosen}
          onChange={onChange}
          tabs={tabs}
          mx="calc(-1 * var(--bleed))"
          // A phone has little room above the data.
          my={{ base: '-2', md: '0' }}
          px="var(--bleed)"
        />
      }
    >
      <chakra.div id={id} role="tabpanel" aria-labelledby={`${id}-name`} minWidth="0">
        <chakra.h2 id={`${id}-name`} srOnly>
          {tabs.find(({ value }) => value === chosen)?.label}
        </chakra.h2>
        <Suspense fallback={null}>{children}</Suspense>
      </chakra.div>
    </HeadLine>
  );
}
