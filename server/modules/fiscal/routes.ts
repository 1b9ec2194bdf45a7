import { z } from 'zod';
import { decisionBodySchema, idParamSchema, largestInteger, seenField, textSchema } from '#domain/wire/schemas.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { canWait } from '#server/http/turns.ts';
import { unkeyed } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { deskWrites } from '#server/operations/rest-writes.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { certificateFacts } from './certificate.ts';
import { sendingStatus, storeCertificate } from './certificate-service.ts';
import { correctRecord } from './correction.ts';
import { loadRecord } from './records-store.ts';
import { lockServerChains } from './store.ts';
import { annulRecord, releaseRecord } from './unfounded.ts';
import { verifyChains } from './verify-chains.ts';

/** A head as a Z report prints it; all parts or none. */
const headQuery = z
  .strictObject({
    chain: z
      .string()
      .regex(/^[A-Z]{1,12}\d$/)
      .optional(),
    sequence: z.coerce.number().int().positive().max(largestInteger).optional(),
    seal: z
      .string()
      .regex(/^[0-9A-F]{8,64}$/)
      .optional(),
  })
  .transform(({ chain, sequence, seal }) =>
    chain !== undefined && sequence !== undefined && seal !== undefined ? { chain, sequence, seal } : undefined,
  );

const certificateBody = z.strictObject({
  /** The PKCS#12 file in base64. */
  pkcs12: z.base64().min(1).max(100_000),
  passphrase: z.string().max(200),
  ...seenField,
});

const params = z.strictObject({ id: idParamSchema });
const decide = { params, body: decisionBodySchema };
const correct = {
  params,
  body: z.strictObject({
    recipient: z.strictObject({ name: textSchema(120).min(1), tax_id: textSchema(20) }).optional(),
    ...seenField,
  }),
};

export const fiscalRoutes: Routes = (ports) => async (api) => {
  sendingRoutes(api, ports);
  correctionRoutes(api, ports);
};

function sendingRoutes(api: Api, { database, clock, secret, config }: RoutePorts): void {
  api.get(
    '/fiscal/verify',
    { config: requires('fiscal.read'), schema: { querystring: headQuery } },
    async ({ session, query }) => ({
      success: true,
      data: await verifyChains(withinClinic(database, session.clinicId), session.clinicId, {
        nowMs: clock(),
        printed: query,
      }),
    }),
  );

  api.get('/fiscal/sending', { config: requires('fiscal.read') }, async ({ session: { clinicId } }) => ({
    success: true,
    data: await sendingStatus(withinClinic(database, clinicId), clinicId, config.verifactu !== null),
  }));

  // A receipt under an idempotency key would keep the request. The same certificate twice does no harm.
  api.put(
    '/fiscal/certificate',
    { config: { ...requires('settings.write'), ...unkeyed, ...canWait }, schema: { body: certificateBody } },
    async (request, reply) => {
      const { session, body } = request;
      const certificate = { pkcs12: Buffer.from(body.pkcs12, 'base64'), passphrase: body.passphrase };
      const facts = await certificateFacts(certificate);
      const stored = await inTransaction(withinClinic(database, session.clinicId), (sql) =>
        storeCertificate(sql, session, { certificate, facts, secret, atMs: clock(), seen: body.seen }),
      );
      if (!stored.ok) return sendRefusal(reply, stored.refusal);
      return { success: true, data: stored.value };
    },
  );
}

function correctionRoutes(api: Api, ports: RoutePorts): void {
  const write = deskWrites(ports, 'fiscal');
  /** The record that is decided on. No other decision about it is under way. */
  const recordOf = (id: number) => async (sql: Sql, clinicId: number) => {
    await lockServerChains(sql, clinicId);
    return loadRecord(sql, clinicId, id);
  };

  api.post('/fiscal/records/:id/correct', { config: requires('fiscal.correct'), schema: correct }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { kind: 'fiscal.correct', record: recordOf(id) }, (context) =>
      correctRecord(context, { id, recipient: request.body.recipient }),
    );
  });

  for (const [action, decided] of [
    ['release', releaseRecord],
    ['annul', annulRecord],
  ] as const)
    api.post(
      `/fiscal/records/:id/${action}`,
      { config: requires(`fiscal.${action}`), schema: decide },
      (request, reply) => {
        const { id } = request.params;
        return write(request, reply, { kind: `fiscal.${action}`, record: recordOf(id) }, (context) =>
          decided(context, id),
        );
      },
    );
}
