import type { Role } from '../../domain/staff/roles.ts';

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
