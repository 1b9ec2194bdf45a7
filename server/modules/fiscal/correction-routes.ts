import { z } from 'zod';
import { idParamSchema, textSchema } from '#domain/wire/schemas.ts';
import { requires } from '#server/http/access.ts';
import { deskWrites } from '#server/operations/rest-writes.ts';
import type { Routes } from '#server/ports.ts';
import { correctRecord } from './correction.ts';
import { annulRecord, releaseRecord } from './unfounded.ts';

const ofRecord = { params: z.strictObject({ id: idParamSchema }) };
const correct = {
  ...ofRecord,
  body: z.strictObject({
    recipient: z.strictObject({ name: textSchema(120).min(1), tax_id: textSchema(20) }).optional(),
  }),
};

export const fiscalCorrectionRoutes: Routes = (ports) => async (api) => {
  const write = deskWrites(ports, 'fiscal');
  api.post('/fiscal/records/:id/correct', { config: requires('fiscal.correct'), schema: correct }, (request, reply) =>
    write(request, reply, { kind: 'fiscal.correct' }, (context) =>
      correctRecord(context, { id: request.params.id, recipient: request.body.recipient }),
    ),
  );

  api.post('/fiscal/records/:id/release', { config: requires('fiscal.release'), schema: ofRecord }, (request, reply) =>
    write(request, reply, { kind: 'fiscal.release' }, (context) => releaseRecord(context, request.params.id)),
  );

  api.post('/fiscal/records/:id/annul', { config: requires('fiscal.annul'), schema: ofRecord }, (request, reply) =>
    write(request, reply, { kind: 'fiscal.annul' }, (context) => annulRecord(context, request.params.id)),
  );
};
