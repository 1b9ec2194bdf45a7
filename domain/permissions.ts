/**
 * The permissions of each role. Screens read the table to decide what to show, the server to decide what to allow. Anything
 * that is not listed is denied.
 */
import type { Role } from './staff/roles.ts';

const everyone: readonly Role[] = ['admin', 'manager', 'counter', 'server', 'kitchen'];
const counterStaff: readonly Role[] = ['admin', 'manager', 'counter'];
const managers: readonly Role[] = ['admin', 'manager'];

const table = {
  'session.use': everyone,
  'device.enrol': everyone,
  'device.read': managers,
  'device.revoke': managers,
  'session.read': managers,
  'session.end': managers,
  'sync.use': everyone,
  'catalogue.read': everyone,
  'settings.read': everyone,
  'settings.write': ['admin'],
  'order.read': everyone,
  'order.create': ['admin', 'manager', 'counter', 'server'],
  'order.add_services': ['admin', 'manager', 'counter', 'server'],
  'order.change': ['admin', 'manager', 'counter', 'server'],
  'order.cancel': counterStaff,
  'order.pay': counterStaff,
  'order.refund': managers,
  'order.invoice': counterStaff,
  'order.collect': managers,
  'order.discount_any': managers,
  // A record describes an invoice or a credit note, so it comes from somebody who issues these.
  'fiscal.record': counterStaff,
  'fiscal.read': managers,
  'fiscal.correct': managers,
  'fiscal.release': managers,
  'fiscal.annul': managers,
  'drawer.use': counterStaff,
  'drawer.open': counterStaff,
  'drawer.move': counterStaff,
  'drawer.close': counterStaff,
  'drawer.read': managers,
  'patient.read': ['admin', 'manager', 'counter', 'server'],
  /** E-mail address, notes for the counter, and the recipient of invoices. */
  'patient.details': counterStaff,
  'patient.update': counterStaff,
  'patient.write': ['admin', 'manager', 'counter', 'server'],
  'patient.export': managers,
  'patient.erase': managers,
  'room.read': everyone,
  'room.write': managers,
  'preparation.read': everyone,
  'preparation.write': ['admin', 'manager', 'server', 'kitchen'],
  'stock.read': managers,
  'stock.write': managers,
  'stock.adjust': managers,
  'purchase.write': managers,
  'upload.create': managers,
  'staff.read': managers,
  'staff.write': managers,
  'upload.read': managers,
  'operation.void': managers,
  'attention.read': managers,
  'attention.settle': managers,
  'expense.read': managers,
  'expense.write': managers,
  'expense.decide': managers,
  'report.read': managers,
  'audit.read': ['admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Action = keyof typeof table;

export function may(role: Role, action: Action): boolean {
  return (table[action] as readonly Role[]).includes(role);
}

/** SYNC-7: an operation is replaced by its own actor, or by somebody who may void it. */
export const mayReplace = (person: { id: number; role: Role }, actorId: number | undefined): boolean =>
  person.id === actorId || may(person.role, 'operation.void');
