import type { Role, UserStatus } from '#domain/staff/roles.ts';

export interface DemoAccount {
  role: Role;
  email: string;
  password: string;
  name: string;
}

/** The accounts of the demo clinic with public passwords. They are active in demo mode only. */
export const demoAccounts: readonly DemoAccount[] = [
  { role: 'admin', email: 'admin@demo.test', password: 'demo-admin', name: 'Elena Marín' },
  { role: 'manager', email: 'manager@demo.test', password: 'demo-manager', name: 'Tomás Ibarra' },
  { role: 'counter', email: 'counter@demo.test', password: 'demo-counter', name: 'Lucía Ferrer' },
  { role: 'server', email: 'clinician@demo.test', password: 'demo-clinician', name: 'Iván Robles' },
  { role: 'kitchen', email: 'assistant@demo.test', password: 'demo-assistant', name: 'Nuria Castells' },
];

/** Further staff of the demo clinic. Their passwords are random: a manager has to set one. */
export const demoColleagues: readonly (Omit<DemoAccount, 'password'> & { status: UserStatus })[] = [
  { role: 'counter', email: 'summer@demo.test', name: 'Paula Quesada', status: 'inactive' },
];
