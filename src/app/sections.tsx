/**
 * The sections of the app: one line each says where it is, who sees it, and what it shows. Menus, tabs and routes are
 * drawn from this table alone.
 */
import { lazy } from 'react';
import type { ComponentType } from 'react';
import { roles as everyRole } from '../../domain/staff/roles.ts';
import type { Role } from '../../domain/staff/roles.ts';
import type english from '../../locales/en.json';

export type SectionName = keyof typeof english.shell.sections;

export interface Section {
  name: SectionName;
  /** Under `/admin/` for administrators, under `/` for everyone else. */
  path: string;
  roles: readonly Role[];
  /** Whether somebody who signed in without the server may open it. */
  offline: boolean;
  /** Where it is offered: in the menu of the shell, or in the person's own. */
  menu: 'main' | 'account';
  screen: ComponentType;
}

const managers: readonly Role[] = ['admin', 'manager'];

/** A screen that reads the server through the back office's cache, which is loaded with the first of them. */
function backOffice(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => {
    const [{ BackOffice }, Screen] = await Promise.all([import('./back-office.tsx'), load()]);
    return {
      default: () => (
        <BackOffice>
          <Screen />
        </BackOffice>
      ),
    };
  });
}

/** In the order of the menu. The first one that somebody may see is where they start. */
export const sections: readonly Section[] = [
  {
    name: 'counter',
    path: 'counter',
    roles: everyRole,
    offline: true,
    menu: 'main',
    screen: lazy(async () => ({ default: (await import('../features/counter/counter-screen.tsx')).CounterScreen })),
  },
  {
    name: 'drawer',
    path: 'drawer',
    roles: ['admin', 'manager', 'counter'],
    offline: true,
    menu: 'main',
    screen: lazy(async () => ({ default: (await import('../features/drawer/drawer-screen.tsx')).DrawerScreen })),
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
    name: 'categories',
    path: 'categories',
    // A manager finds them as a tab of the stock section, which administrators have as well.
    roles: ['admin'],
    offline: false,
    menu: 'main',
    screen: backOffice(async () => (await import('../features/stock/categories/categories-screen.tsx')).CategoriesScreen),
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
    name: 'settings',
    path: 'settings',
    roles: ['admin'],
    offline: false,
    menu: 'account',
    screen: backOffice(async () => (await import('../features/settings/settings-screen.tsx')).SettingsScreen),
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

export function sectionsFor(role: Role, mode: 'online' | 'offline', all: readonly Section[] = sections): Section[] {
  return all.filter((section) => section.roles.includes(role) && (mode === 'online' || section.offline));
}

export const inMenu = (own: readonly Section[], menu: Section['menu']): Section[] => own.filter((section) => section.menu === menu);

/** Where a section is for somebody of this role. */
export const pathOf = (role: Role, path: string): string => (role === 'admin' ? `/admin/${path}` : `/${path}`);
