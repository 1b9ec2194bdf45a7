/** The sections of the app, with their paths, roles and screens. Menus, tabs and routes come from this table alone. */
import { roles as everyRole } from '#domain/staff/roles.ts';
import type { Role } from '#domain/staff/roles.ts';
import type english from '#locales/en.json';
import { backOffice } from '../navigation/back-office-screen.tsx';
import { pathOf } from '../navigation/path-of.ts';
import { loadLater, loadPlain } from '../ui/load-later.tsx';
import type { LoadedLater } from '../ui/load-later.tsx';

export type SectionName = keyof typeof english.shell.sections;

export interface Section {
  name: SectionName;
  /** Under `/admin/` for administrators, under `/` for everyone else. */
  path: string;
  roles: readonly Role[];
  /** Roles whose first section this is. */
  firstFor?: readonly Role[];
  /** True if a person who signed in offline can open it. */
  offline: boolean;
  /** The menu that lists it: the shell's, or the person's own; null for a page to which the app leads by itself. */
  menu: 'main' | 'account' | null;
  screen: LoadedLater<object>;
}

const managers: readonly Role[] = ['admin', 'manager'];

/** Sections in menu order. A user starts at the first one that their role allows. */
export const sections: readonly Section[] = [
  {
    name: 'dashboard',
    path: 'dashboard',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/dashboard/dashboard-screen.tsx')).DashboardScreen),
  },
  {
    name: 'counter',
    path: 'counter',
    roles: everyRole,
    offline: true,
    menu: 'main',
    screen: loadPlain(async () => {
      const { CounterScreen, prepareCounter } = await import('../features/counter/counter-screen.tsx');
      await prepareCounter();
      return CounterScreen;
    }),
  },
  {
    name: 'patients',
    path: 'patients',
    roles: ['admin', 'manager', 'counter', 'server'],
    offline: true,
    menu: 'main',
    screen: backOffice(
      async () => (await import('../features/counter/patients/page/patients-screen.tsx')).PatientsScreen,
    ),
  },
  {
    name: 'drawer',
    path: 'drawer',
    roles: ['admin', 'manager', 'counter'],
    offline: true,
    menu: 'main',
    screen: loadLater(async () => (await import('../features/drawer/drawer-screen.tsx')).DrawerScreen),
  },
  {
    name: 'preparation',
    path: 'kitchen',
    roles: ['admin', 'manager', 'server', 'kitchen'],
    firstFor: ['kitchen'],
    offline: false,
    menu: 'main',
    // Nobody touches a screen on the wall, so changes from other tablets show at once.
    screen: backOffice(async () => (await import('../features/preparation/preparation-screen.tsx')).PreparationScreen, {
      gatherMs: 200,
    }),
  },
  {
    name: 'stock',
    path: 'stock',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/stock/stock-screen.tsx')).StockScreen),
  },
  {
    name: 'services',
    path: 'services',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/stock/products/services-screen.tsx')).ServicesScreen),
  },
  {
    name: 'purchasing',
    path: 'purchase-orders',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(
      async () => (await import('../features/stock/purchase-orders/purchasing-screen.tsx')).PurchasingScreen,
    ),
  },
  {
    name: 'rooms',
    path: 'rooms',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/rooms/rooms-screen.tsx')).RoomsScreen),
  },
  {
    name: 'staff',
    path: 'staff',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/staff/staff-screen.tsx')).StaffScreen),
  },
  {
    name: 'expenses',
    path: 'expenses',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/expenses/expenses-screen.tsx')).ExpensesScreen),
  },
  {
    name: 'reports',
    path: 'reports',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/reports/reports-screen.tsx')).ReportsScreen),
  },
  {
    name: 'fiscal',
    path: 'fiscal',
    roles: managers,
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/fiscal/fiscal-screen.tsx')).FiscalScreen),
  },
  {
    name: 'welcome',
    path: 'welcome',
    roles: ['admin'],
    offline: false,
    menu: null,
    screen: backOffice(async () => (await import('../features/welcome/welcome-screen.tsx')).WelcomeScreen),
  },
  {
    name: 'devices',
    path: 'devices',
    roles: managers,
    offline: false,
    menu: 'account',
    screen: backOffice(async () => (await import('../features/devices/devices-screen.tsx')).DevicesScreen),
  },
  {
    name: 'audit',
    path: 'audit',
    roles: ['admin'],
    offline: false,
    menu: 'account',
    screen: backOffice(async () => (await import('../features/audit/audit-screen.tsx')).AuditScreen),
  },
  {
    name: 'settings',
    path: 'settings',
    roles: ['admin'],
    offline: false,
    menu: 'account',
    screen: backOffice(async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen),
  },
  {
    name: 'about',
    path: 'about',
    roles: managers,
    offline: false,
    menu: 'account',
    screen: backOffice(async () => (await import('../features/about/about-screen.tsx')).AboutScreen),
  },
  {
    name: 'profile',
    path: 'profile',
    roles: everyRole,
    offline: false,
    menu: 'account',
    screen: backOffice(async () => (await import('../features/profile/profile-screen.tsx')).ProfileScreen),
  },
];

/** Other addresses of sections, by path: what a section has in a tab is found under its own name too. */
export const otherPaths: Readonly<Record<string, string>> = { categories: 'services?tab=categories' };

export function sectionsFor(role: Role, mode: 'online' | 'offline', all: readonly Section[] = sections): Section[] {
  const own = all.filter((section) => section.roles.includes(role) && (mode === 'online' || section.offline));
  const isFirst = ({ firstFor = [] }: Section) => firstFor.includes(role);
  return [...own.filter(isFirst), ...own.filter((section) => !isFirst(section))];
}

/**
 * Returns the section of a URL, also for an administrator's URL without `/admin` (as in the installed app's shortcuts).
 * Returns the person's first section if the URL is unknown or not allowed.
 */
export function sectionAt(address: string, role: Role, mode: 'online' | 'offline'): Section {
  const own = sectionsFor(role, mode);
  return own.find(({ path }) => [pathOf(role, path), `/${path}`].includes(address)) ?? own[0]!;
}

/** Returns the address of a section in a menu: the first one is where the role starts. */
export const addressOf = (role: Role, path: string, [first]: readonly Section[]): string =>
  role !== 'admin' && path === first?.path ? '/' : pathOf(role, path);

export const inMenu = (own: readonly Section[], menu: NonNullable<Section['menu']>): Section[] =>
  own.filter((section) => section.menu === menu);
