/** The catalogue of actions in the audit log, in the groups of the log's filter. Each action has a text in both languages. */

const groups = {
  access: [
    'sign_in',
    'sign_in.failed',
    'sign_out',
    'session.ended',
    'denied',
    'password.changed',
    'profile.changed',
    'passkey.added',
    'passkey.removed',
  ],
  sales: [
    'order.create',
    'order.add_services',
    'order.change',
    'order.cancel',
    'order.pay',
    'order.refund',
    'order.invoice',
    'preparation.moved',
    'operation.voided',
    'operation.approved',
    'attention.settled',
    'patient.created',
    'patient.changed',
    'patient.exported',
    'patient.erased',
  ],
  drawer: ['drawer.opened', 'drawer.moved', 'drawer.closed'],
  stock: [
    'stock.adjust',
    'stock.created',
    'stock.changed',
    'stock.deleted',
    'stock.restored',
    'stock.reserved',
    'stock.unreserved',
    'stock.deducted',
    'stock.imported',
    'product.created',
    'product.changed',
    'product.deleted',
    'product.restored',
    'products.imported',
    'category.created',
    'category.changed',
    'category.deleted',
    'alert.acknowledge',
    'alert.resolve',
    'upload.create',
  ],
  purchasing: ['purchase.create', 'purchase.change', 'purchase.send', 'purchase.cancel', 'purchase.receive'],
  expenses: [
    'expense.create',
    'expense.change',
    'expense.approve',
    'expense.reject',
    'expense.delete',
    'expense.restore',
  ],
  staff: ['staff.created', 'staff.changed', 'staff.removed'],
  settings: [
    'settings.changed',
    'settings.certificate',
    'settings.test_mail',
    'room.created',
    'room.changed',
    'room.deleted',
  ],
  devices: [
    'device.enrolled',
    'device.renumbered',
    'device.codes_renewed',
    'device.adopted',
    'device.renamed',
    'device.locked',
    'device.revoked',
  ],
  reports: [
    'report.exported',
    'audit.exported',
    'fiscal.exported',
    'fiscal.corrected',
    'fiscal.released',
    'fiscal.annulled',
  ],
} as const;

export type AuditGroup = keyof typeof groups;
export type AuditAction = (typeof groups)[AuditGroup][number];

export const auditGroups = Object.keys(groups) as AuditGroup[];
export const actionsOf = (group: AuditGroup): readonly AuditAction[] => groups[group];

type Underscored<Text extends string> = Text extends `${infer Head}.${infer Tail}`
  ? `${Head}_${Underscored<Tail>}`
  : Text;

/** Returns the translation key of an action. Keys contain underscores, because dots separate levels in the language files. */
export const actionKey = <Action extends AuditAction>(action: Action): Underscored<Action> =>
  action.replaceAll('.', '_') as Underscored<Action>;
