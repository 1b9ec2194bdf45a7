/** Prints the Z report of a drawer as a tablet does, from what the server says of it. */
import english from '#locales/en.json' with { type: 'json' };
import { reportRows } from '#domain/drawer/printed-report.ts';
import { drawerRowFromResource, reportFromResource } from '#domain/drawer/resource.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ReportedDrawer } from '#server/modules/drawers/service.ts';

const labels = {
  ...english.drawer.paper,
  methods: english.counter.methods,
  tax: english.print.labels.tax,
};

export const printedReport = (drawer: ReportedDrawer): PrintedRow[] =>
  reportRows(
    { settings: defaultSettings, language: 'en', labels },
    drawerRowFromResource(drawer),
    reportFromResource(drawer.report),
  );
