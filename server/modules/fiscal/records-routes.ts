import { z } from 'zod';
import { recordFilters } from '#domain/fiscal/resources.ts';
import type { DeclarationResource } from '#domain/fiscal/resources.ts';
import { largestInteger, monthSchema, textSchema } from '#domain/wire/schemas.ts';
import type { Config } from '#server/config.ts';
import { acrossClinics, withinClinic } from '#server/db/database.ts';
import { requires } from '#server/http/access.ts';
import { streamed } from '#server/http/streamed.ts';
import { orAll } from '#server/http/paging.ts';
import type { Routes } from '#server/ports.ts';
import { version } from '#server/version.ts';
import { recordAudit } from '../audit/service.ts';
import { recordsArchive } from './export.ts';
import { chainsOf, listRecords } from './records-store.ts';
import { hasSeveralTaxpayers } from './sending-store.ts';
import { systemId, systemName } from './xml.ts';

const listQuery = z.strictObject({
  state: orAll(recordFilters),
  number: textSchema(60).optional(),
  cursor: z.coerce.number().int().positive().max(largestInteger).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const exportQuery = z.strictObject({ from: monthSchema, until: monthSchema });

/** What managers read of fiscal records: chains, the list, an export, and the producer's declaration. */
export const fiscalRecordRoutes: Routes =
  ({ database, clock, config }) =>
  async (api) => {
    const access = requires('fiscal.read');

    api.get('/fiscal/chains', { config: access }, async ({ session: { clinicId } }) => ({
      success: true,
      data: await chainsOf(withinClinic(database, clinicId), clinicId),
    }));

    api.get(
      '/fiscal/records',
      { config: access, schema: { querystring: listQuery } },
      async ({ session: { clinicId }, query: { state, number, cursor, limit } }) => {
        const found = await listRecords(withinClinic(database, clinicId), clinicId, {
          filter: state,
          number,
          before: cursor,
          limit: limit + 1,
        });
        const data = found.slice(0, limit);
        return { success: true, data, next: found.length > limit ? String(data.at(-1)!.id) : null };
      },
    );

    api.get(
      '/fiscal/export',
      { config: access, schema: { querystring: exportQuery } },
      async ({ session, query: months }, reply) => {
        const atMs = clock();
        await recordAudit(withinClinic(database, session.clinicId), session, {
          action: 'fiscal.exported',
          details: { ...months },
          at: atMs,
        });
        const { name, taxId } = config.producer;
        const system =
          name && taxId
            ? {
                producer: { name, taxId },
                version,
                isShared: await hasSeveralTaxpayers(acrossClinics(database)),
              }
            : null;
        return reply
          .type('application/zip')
          .header('content-disposition', `attachment; filename="fiscal_records_${months.from}_${months.until}.zip"`)
          .send(
            streamed(
              recordsArchive(withinClinic(database, session.clinicId), session.clinicId, { months, system, atMs }),
            ),
          );
      },
    );

    // Everybody who works with the system may read who is responsible for it.
    api.get('/fiscal/declaration', { config: requires('settings.read') }, async () => ({
      success: true,
      data: declarationOf(config.producer),
    }));
  };

/**
 * Returns the responsible declaration of the producer for this version (Order HAC/1177/2024, article 15). Only the producer
 * can sign it, so it is unsigned until the installation's configuration names the signed version, and again after an
 * update.
 */
function declarationOf(producer: Config['producer']): DeclarationResource {
  const { name, taxId, address, place, date, signedVersion } = producer;
  const isComplete = [name, taxId, address, place, date].every((text) => text !== '');
  return {
    system: systemName,
    system_id: systemId,
    version,
    producer: { name, tax_id: taxId, address },
    place,
    date,
    signed_version: signedVersion,
    is_signed: isComplete && signedVersion === version,
  };
}
