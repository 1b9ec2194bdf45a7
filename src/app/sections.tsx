/**
 * The sections of the app: one line each says where it is, who sees it, and what it shows. Menus, tabs and routes are
 * drawn from this table alone.
 */
import { ShoppingCart } from 'lucide-react';
import { lazy } from 'react';
import type { ComponentType } from 'react';
import { roles as everyRole } from '../../domain/staff/roles.ts';
import type { Role } from '../../domain/staff/roles.ts';
import type english from '../../locales/en.json';

export interface Section {
  /** Under `/admin/` for administrators, under `/` for everyone else. */
  path: string;
  label: keyof typeof english.shell.sections;
  icon: ComponentType<{ size?: number }>;
  roles: readonly Role[];
  /** Whether somebody who signed in without the server may open it. */
  offline: boolean;
  screen: ComponentType;
}

/** In the order of the menu. The first one that somebody may see is where they start. */
export const sections: readonly Section[] = [
  {
    path: 'counter',
    label: 'counter',
    icon: ShoppingCart,
    roles: everyRole,
    offline: true,
    screen: lazy(async () => ({ default: (await import('../features/counter/counter-screen.tsx')).CounterScreen })),
  },
];

export function sectionsFor(role: Role, mode: 'online' | 'offline', all: readonly Section[] = sections): Section[] {
  return all.filter((section) => section.roles.includes(role) && (mode === 'online' || section.offline));
}

/** Where a section is for somebody of this role. */
export const pathOf = (role: Role, path: string): string => (role === 'admin' ? `/admin/${path}` : `/${path}`);
