/** The list of modules. */
import { alertRoutes } from './modules/alerts/routes.ts';
import { attentionRoutes } from './modules/attention/routes.ts';
import { auditRoutes } from './modules/audit/routes.ts';
import { clinicRoutes } from './modules/clinics/routes.ts';
import { drawerRoutes } from './modules/drawers/routes.ts';
import { deviceRoutes } from './modules/devices/routes.ts';
import { expenseRoutes } from './modules/expenses/routes.ts';
import { exportRoutes } from './modules/exports/routes.ts';
import { metricsRoutes } from './modules/health/metrics-routes.ts';
import { healthRoutes } from './modules/health/routes.ts';
import { ledgerRoutes } from './modules/ledger/routes.ts';
import { notificationRoutes } from './modules/notifications/routes.ts';
import { orderRoutes } from './modules/orders/routes.ts';
import { patientRoutes } from './modules/patients/routes.ts';
import { preparationRoutes } from './modules/preparation/routes.ts';
import { purchasingRoutes } from './modules/purchasing/routes.ts';
import { reportRoutes } from './modules/reports/routes.ts';
import { roomRoutes } from './modules/rooms/routes.ts';
import { stockRoutes } from './modules/stock/routes.ts';
import { uploadRoutes } from './modules/uploads/routes.ts';
import { userRoutes } from './modules/users/routes.ts';
import { staffRoutes } from './modules/users/staff-routes.ts';
import { syncRoutes } from './operations/routes.ts';

/** What `/api` serves. */
export const routeModules = [
  healthRoutes,
  metricsRoutes,
  userRoutes,
  staffRoutes,
  deviceRoutes,
  clinicRoutes,
  stockRoutes,
  ledgerRoutes,
  alertRoutes,
  attentionRoutes,
  orderRoutes,
  patientRoutes,
  preparationRoutes,
  drawerRoutes,
  purchasingRoutes,
  expenseRoutes,
  exportRoutes,
  uploadRoutes,
  roomRoutes,
  reportRoutes,
  notificationRoutes,
  auditRoutes,
  syncRoutes,
];
