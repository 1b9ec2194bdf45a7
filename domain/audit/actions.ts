/**
 * What can stand in the audit log: who did what. This is the one catalogue of deeds, in the groups by which somebody looks
 * through them; each has its sentence in both languages.
 */

const groups = {
  access: ['sign_in', 'sign_in.failed', 'sign_out', 'denied', 'password.changed', 'profile.changed'],
  sales: [
    'order.create',
    'order.add_services',
    'order.cancel',
    'order.pay',
    'order.refund',
    'preparation.moved',
    'operation.voided',
    'attention.settled',
    'patient.created',
    'patient.changed',
  ],
  drawer: ['drawer.opened', 'drawer.moved', 'drawer.closed'],
  stock: [
    'stock.adjust',
    'stock.created',
    'stock.changed',
    'stock.deleted',
    'stock.reserved',
    'stock.unreserved',
    'stock.deducted',
    'stock.imported',
    'product.created',
    'product.changed',
    'product.deleted',
    'products.imported',
    'category.created',
    'category.changed',
    'category.deleted',
    'alert.acknowledge',
    'alert.resolve',
    'upload.create',
  ],
  purchasing: ['purchase.create', 'purchase.change', 'purchase.send', 'purchase.cancel', 'purchase.receive'],
  expenses: ['expense.create', 'expense.change', 'expense.approve', 'expense.reject', 'expense.delete'],
  staff: ['staff.created', 'staff.changed', 'staff.removed'],
  settings: [
    'settings.changed',
    'settings.test_mail',
    'room.created',
    'room.changed',
    'room.deleted',
    'device.enrolled',
    'device.renumbered',
    'device.adopted',
    'device.renamed',
  ],
  reports: ['report.exported', 'audit.exported'],
} as const;

export type AuditGroup = keyof typeof groups;
export type AuditAction = (typeof groups)[AuditGroup][number];

export const auditGroups = Object.keys(groups) as AuditGroup[];
export const actionsOf = (group: AuditGroup): readonly AuditAction[] => groups[group];
export const auditActions = auditGroups.flatMap(actionsOf);

/**
 * Deeds that stand in the receipts of operations and not in the log's own table: every sale would otherwise be written twice,
 * and the two could disagree.
 */
export const operationActions = [
  'order.create',
  'order.add_services',
  'order.cancel',
  'order.pay',
  'order.refund',
  'stock.adjust',
] as const satisfies readonly AuditAction[];

type Underscored<Text extends string> = Text extends `${infer Head}.${infer Tail}`
  ? `${Head}_${Underscored<Tail>}`
  : Text;

/** The name of a deed's sentence: dots part the names of the language files. */
export const actionKey = <Deed extends AuditAction>(action: Deed): Underscored<Deed> =>
  action.replaceAll('.', '_') as Underscored<Deed>;
