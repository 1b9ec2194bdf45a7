import { z } from 'zod';
import { shownTo } from '#domain/column-permissions.ts';
import { languages } from '#domain/language.ts';
import { currencies } from '#domain/money.ts';
import { textSchema } from '#domain/wire/schemas.ts';
import { settingsProblems } from '#domain/settings/rules.ts';
import { defaultSettings, paperWidths } from '#domain/settings/settings.ts';
import { taxProfiles } from '#domain/tax/profile.ts';
import { rateCodes } from '#domain/tax/codes.ts';
import { acrossClinics, withinClinic } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
import { isPublic, requires } from '#server/http/access.ts';
import { changeBody, changesIn } from '#server/http/change-body.ts';
import { changeForm } from '#server/http/form-rules.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import { openDemoAccounts } from '../users/service.ts';
import { changeSettings, clinicSettings, publicFace } from './service.ts';

const text = textSchema(2000).optional();
const flag = z.boolean().optional();
const rate = z.number().optional();
const taxRate = z.strictObject({
  code: z.enum(rateCodes),
  rates: z.array(z.strictObject({ from: textSchema(10), percent: z.number() })).max(50),
});
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
  logo_url: text,
  document_colour: text,
  legal_name: text,
  tax_id: text,
  postal_code: text,
  city: text,
  verifactu_since: text,
  verifactu_until: text,
  operation_description: text,
  notification_email: text,
  time_zone: text,
  service_charge_rate: rate,
  discount_limit_percent: rate,
  change_limit: rate,
  month_target: rate,
  order_timeout_minutes: rate,
  lock_minutes: rate,
  patient_retention_years: rate,
  tablet_keep_days: rate,
  low_stock_alerts: flag,
  daily_reports: flag,
  system_updates: flag,
  error_notifications: flag,
  auto_print_receipts: flag,
  books_by_sii: flag,
  setup_finished: flag,
  currency: z.enum(currencies).optional(),
  tax_profile: z.enum(taxProfiles).optional(),
  tax_rates: z.array(taxRate).length(rateCodes.length).optional(),
  paper_width: z.enum(paperWidths).optional(),
  default_language: z.enum(languages).optional(),
});

export const clinicRoutes: Routes = (ports) => async (api) => {
  const { database, config } = ports;
  /** Whether VERI*FACTU may begin or end depends on the stored settings. */
  const rules = changeForm(defaultSettings, (settings) => {
    const { verifactu_since: _since, verifactu_until: _until, ...problems } = settingsProblems(settings);
    return problems;
  });
  const write = feedWrites(ports, 'settings');

  /** Returns the data of the sign-in page. */
  api.get('/session-options', { config: isPublic }, async () => ({
    success: true,
    data: {
      demo: config.demo,
      ...(await publicFace(acrossClinics(database))),
      accounts: (await openDemoAccounts(acrossClinics(database))).map(({ role, email, password }) => ({
        role,
        email,
        password,
      })),
    },
  }));

  api.get('/settings', { config: requires('settings.read') }, async ({ session }) => ({
    success: true,
    data: shownTo(
      session.role,
      'settings',
      await clinicSettings(withinClinic(database, session.clinicId), session.clinicId),
    ),
  }));

  api.put(
    '/settings',
    { config: { ...requires('settings.write'), ...rules }, schema: { body: changeBody(settingsBody) } },
    (request, reply) =>
      write(request, reply, { kind: 'settings.change', record: clinicSettings }, (context) =>
        changeSettings(context, changesIn(request.body), { isDemo: config.demo }),
      ),
  );
};
