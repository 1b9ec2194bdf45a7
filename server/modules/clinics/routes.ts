import { z } from 'zod';
import { languages } from '../../../domain/language.ts';
import { currencies } from '../../../domain/money.ts';
import { textSchema } from '../../../domain/protocol/schemas.ts';
import { paperWidths } from '../../../domain/settings/settings.ts';
import type { Routes } from '../../ports.ts';
import { isPublic, requires } from '../../http/access.ts';
import { feedWrites } from '../../operations/rest-writes.ts';
import { openDemoAccounts } from '../users/service.ts';
import { changeSettings, clinicSettings, publicFace } from './service.ts';

const text = textSchema(2000).optional();
const flag = z.boolean().optional();
const rate = z.number().optional();
/** Names the fields and their types. The domain decides which values are valid. */
const settingsBody = z.strictObject({
  practice_name: text,
  address: text,
  tax_number: text,
  phone: text,
  email: text,
  currency_symbol: text,
  receipt_header: text,
  receipt_footer: text,
  tax_note: text,
  notification_email: text,
  time_zone: text,
  service_charge_rate: rate,
  discount_limit_percent: rate,
  change_limit: rate,
  order_timeout_minutes: rate,
  patient_retention_years: rate,
  tablet_keep_days: rate,
  low_stock_alerts: flag,
  daily_reports: flag,
  system_updates: flag,
  error_notifications: flag,
  auto_print_receipts: flag,
  setup_finished: flag,
  currency: z.enum(currencies).optional(),
  paper_width: z.enum(paperWidths).optional(),
  default_language: z.enum(languages).optional(),
});

export const clinicRoutes: Routes = (ports) => async (api) => {
  const { database, config } = ports;
  const write = feedWrites(ports, 'settings');

  /** Returns the data of the sign-in page. */
  api.get('/session-options', { config: isPublic }, async () => ({
    success: true,
    data: {
      demo: config.demo,
      ...(await publicFace(database.$client)),
      accounts: (await openDemoAccounts(database.$client)).map(({ role, email, password }) => ({
        role,
        email,
        password,
      })),
    },
  }));

  api.get('/settings', { config: requires('settings.read') }, async ({ session }) => ({
    success: true,
    data: await clinicSettings(database.$client, session.clinicId),
  }));

  api.put('/settings', { config: requires('settings.write'), schema: { body: settingsBody } }, (request, reply) =>
    write(request, reply, { kind: 'settings.change' }, (context) => changeSettings(context, request.body)),
  );
};
