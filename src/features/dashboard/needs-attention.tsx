import { chakra, Flex } from '@chakra-ui/react';
import { Boxes, Check, ChevronRight, Inbox, TabletSmartphone, Vault } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { DashboardNow } from '#domain/report/now.ts';
import { useMoney } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { useSession } from '#src/session/session.ts';
import { Panel } from '#src/ui/panel.tsx';
import { Rows } from '#src/ui/panel-rows.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { toneColours } from '#src/ui/tone.ts';
import type { Tone } from '#src/ui/tone.ts';

interface Matter {
  name: 'drawer' | 'stock' | 'items' | 'tablets';
  icon: LucideIcon;
  /** Neutral when nothing has to be done. */
  tone: Tone;
  title: string;
  text: string;
  /** Where to do something about it; none if the person may not. */
  path?: string | undefined;
}

/** The state of drawers, stock, attention items and tablets. Its rows are always the same four, of one height. */
export function NeedsAttention({ now }: { now: DashboardNow | undefined }) {
  const { t } = useTranslation();
  const matters = useMatters(now);
  return (
    <Panel title={t('dashboard.now.title')}>
      <Rows>
        {matters.map((matter) => (
          <chakra.li key={matter.name} css={{ '&&': { padding: 0 } }}>
            {now ? (
              <MatterRow matter={matter} />
            ) : (
              <Flex {...rowLayout}>
                <Skeleton height="10" flex="1" aria-busy />
              </Flex>
            )}
          </chakra.li>
        ))}
      </Rows>
    </Panel>
  );
}

/** Room for two lines of a title on a phone, and for one elsewhere, so that the rows below stay where they are. */
const rowLayout = {
  display: 'flex',
  alignItems: 'center',
  gap: '3',
  px: '4',
  py: '2',
  minHeight: { base: '20', md: '16' },
  lineHeight: 'tight',
} as const;

function MatterRow({ matter: { icon: Icon, tone, title, text, path } }: { matter: Matter }) {
  const { color, bg } = toneColours(tone);
  const isCalm = tone === 'neutral';
  const content = (
    <>
      <Flex
        align="center"
        justify="center"
        width="10"
        height="10"
        flexShrink={0}
        borderRadius="md"
        bg={bg}
        color={color}
        aria-hidden
      >
        <Icon size={20} />
      </Flex>
      <chakra.span flex="1" minWidth="0">
        <chakra.span display="block" fontWeight={isCalm ? 'normal' : 'medium'} lineClamp={2}>
          {title}
        </chakra.span>
        {text && (
          <chakra.span display="block" fontSize="sm" color="fg.muted" truncate title={text}>
            {text}
          </chakra.span>
        )}
      </chakra.span>
      <chakra.span color="fg.muted" flexShrink={0} width="5" aria-hidden>
        {path ? <ChevronRight size={20} /> : isCalm && <Check size={20} />}
      </chakra.span>
    </>
  );
  return path ? (
    <chakra.a asChild {...rowLayout} _hover={{ bg: 'bg.hover' }} _focusVisible={{ outlineOffset: '-2px' }}>
      <Link to={path}>{content}</Link>
    </chakra.a>
  ) : (
    <chakra.div {...rowLayout}>{content}</chakra.div>
  );
}

function useMatters(now: DashboardNow | undefined): Matter[] {
  const { t } = useTranslation();
  const role = useSession(({ user }) => user?.role) ?? 'counter';
  const drawer = useDrawerTexts();
  const { dateTime } = useClinicFormats();
  const { stock, attention, devices = [] } = now ?? {};
  const lostWork = devices.some(({ waiting }) => waiting > 0);
  const tablets = devices.map(({ name, code, waiting, last_seen_at }) =>
    [
      [name, code].filter(Boolean).join(' '),
      waiting > 0 && t('dashboard.now.unsent', { count: waiting }),
      last_seen_at && t('dashboard.now.lastSeen', { time: dateTime(last_seen_at) }),
    ]
      .filter(Boolean)
      .join(', '),
  );
  return [
    { name: 'drawer', icon: Vault, ...drawer(now?.drawers), path: pathOf(role, 'drawer') },
    {
      name: 'stock',
      icon: Boxes,
      tone: !stock?.count ? 'neutral' : stock.high > 0 ? 'refused' : 'low',
      title: stock?.count ? t('dashboard.now.stock', { count: stock.count }) : t('dashboard.now.stockFine'),
      text: stock?.names.join(', ') ?? '',
      path: pathOf(role, stock?.count ? 'stock?tab=alerts' : 'stock'),
    },
    {
      name: 'items',
      icon: Inbox,
      tone: attention?.count ? 'due' : 'neutral',
      title: attention?.count ? t('dashboard.now.items', { count: attention.count }) : t('dashboard.now.itemsFine'),
      text: attention?.kinds.map((kind) => t(`outbox.elsewhere.kinds.${kind}`)).join(', ') ?? '',
      path: '/outbox',
    },
    {
      name: 'tablets',
      icon: TabletSmartphone,
      tone: lostWork ? 'due' : 'neutral',
      title:
        devices.length === 0
          ? t('dashboard.now.tabletsFine')
          : t(lostWork ? 'dashboard.now.tabletsUnsent' : 'dashboard.now.tabletsSilent', { count: devices.length }),
      text: tablets.join(' · '),
      path: devices.length > 0 ? pathOf(role, 'devices') : undefined,
    },
  ];
}

function useDrawerTexts(): (drawers: DashboardNow['drawers'] | undefined) => Pick<Matter, 'tone' | 'title' | 'text'> {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const money = useMoney();
  return (drawers) => {
    const [first] = drawers?.open ?? [];
    if (!drawers) return { tone: 'neutral', title: '', text: '' };
    const state = !first
      ? t('dashboard.now.drawerNone')
      : drawers.count > 1
        ? t('dashboard.now.drawersOpen', { count: drawers.count })
        : t('dashboard.now.drawerOpen', { device: first.device });
    const since = first && t('dashboard.now.drawerSince', { time: dateTime(first.opened_at), name: first.opened_by });
    if (drawers.outside.count === 0)
      return { tone: 'neutral', title: state, text: since ?? t('dashboard.now.drawerHint') };
    return {
      tone: 'due',
      title: t('dashboard.now.cashOutside', { amount: money(drawers.outside.amount) }),
      text: [t('dashboard.now.cashOutsideCount', { count: drawers.outside.count }), state].join(' · '),
    };
  };
}
