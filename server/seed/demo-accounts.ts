import type { Role, UserStatus } from '../../domain/staff/roles.ts';

export interface DemoAccount {
  role: Role;
  email: string;
  password: string;
  name: string;
}

/** The accounts of the demo clinic, whose passwords everyone knows. They open only in demo mode. */
export const demoAccounts: readonly DemoAccount[] = [
  { role: 'admin', email: 'admin@demo.test', password: 'demo-admin', name: 'Elena Marín' },
  { role: 'manager', email: 'manager@demo.test', password: 'demo-manager', name: 'Tomás Ibarra' },
  { role: 'counter', email: 'counter@demo.test', password: 'demo-counter', name: 'Lucía Ferrer' },
];

/** Who else works or worked there. Nobody knows their passwords: they sign in when somebody has set one. */
export const demoColleagues: readonly (Omit<DemoAccount, 'password'> & { status: UserStatus })[] = [
  { role: 'kitchen', email: 'sterilisation@demo.test', name: 'Nuria Castells', status: 'active' },
  { role: 'server', email: 'chairside@demo.test', name: 'Iván Robles', status: 'active' },
  { role: 'counter', email: 'summer@demo.test', name: 'Paula Quesada', status: 'inactive' },
];
