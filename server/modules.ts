/** The modules of the server: what they serve over HTTP, and the operation kinds that they register. */
import { eventRoutes } from './events/routes.ts';
import { alertRoutes } from './modules/alerts/routes.ts';
import { attentionWriter } from './modules/attention/operations.ts';
import { attentionRoutes } from './modules/attention/routes.ts';
import { auditWriter } from './modules/audit/operations.ts';
import { auditRoutes } from './modules/audit/routes.ts';
import { clinicRoutes } from './modules/clinics/routes.ts';
import { dashboardRoutes } from './modules/dashboard/routes.ts';
import { deviceWriter } from './modules/devices/operations.ts';
import { deviceRoutes } from './modules/devices/routes.ts';
import { drawerModule } from './modules/drawers/operations.ts';
import { drawerRoutes } from './modules/drawers/routes.ts';
import { expenseRoutes } from './modules/expenses/routes.ts';
import { exportRoutes } from './modules/exports/routes.ts';
import { feedRoutes } from './modules/feed/routes.ts';
import { fiscalModule } from './modules/fiscal/operations.ts';
import { fiscalRecordRoutes } from './modules/fiscal/records-routes.ts';
import { fiscalRoutes } from './modules/fiscal/routes.ts';
import { healthRoutes, metricsRoutes } from './modules/health/routes.ts';
import { ledgerModule } from './modules/ledger/operations.ts';
import { ledgerRoutes } from './modules/ledger/routes.ts';
import { notificationRoutes } from './modules/notifications/routes.ts';
import { collectiveRoutes } from './modules/orders/collective-routes.ts';
import { orderModule } from './modules/orders/operations.ts';
import { orderRoutes } from './modules/orders/routes.ts';
import { erasureScreen, patientModule, patientWriter } from './modules/patients/operations.ts';
import { patientRoutes } from './modules/patients/routes.ts';
import { preparationRoutes } from './modules/preparation/routes.ts';
import { purchasingRoutes } from './modules/purchasing/routes.ts';
import { reportRoutes } from './modules/reports/routes.ts';
import { roomRoutes } from './modules/rooms/routes.ts';
import { stockRoutes } from './modules/stock/routes.ts';
import { uploadRoutes } from './modules/uploads/routes.ts';
import { passkeyRoutes } from './modules/users/passkey-routes.ts';
import { userRoutes } from './modules/users/routes.ts';
import { staffRoutes } from './modules/users/staff-routes.ts';
import type { RegisteredModules } from './operations/registry.ts';
import { operationRoutes } from './operations/routes.ts';

/** The routes under `/api`. */
export const routeModules = [
  healthRoutes,
  metricsRoutes,
  userRoutes,
  passkeyRoutes,
  staffRoutes,
  deviceRoutes,
  clinicRoutes,
  stockRoutes,
  ledgerRoutes,
  alertRoutes,
  attentionRoutes,
  orderRoutes,
  collectiveRoutes,
  patientRoutes,
  preparationRoutes,
  drawerRoutes,
  fiscalRoutes,
  fiscalRecordRoutes,
  purchasingRoutes,
  expenseRoutes,
  exportRoutes,
  uploadRoutes,
  roomRoutes,
  reportRoutes,
  dashboardRoutes,
  notificationRoutes,
  auditRoutes,
  operationRoutes,
  feedRoutes,
  eventRoutes,
];

/**
 * The parts of a batch of operations, in the order of locking and writing. Changing the order can make batches
 * deadlock: every transaction locks patients before devices, devices before stock items.
 */
export const operationModules: RegisteredModules = {
  screens: [erasureScreen],
  writers: [
    patientWriter,
    patientModule,
    deviceWriter,
    orderModule,
    drawerModule,
    fiscalModule,
    attentionWriter,
    auditWriter,
    ledgerModule,
  ],
};
