import { z } from 'zod';
import { idParamSchema, textSchema } from '../../../domain/protocol/schemas.ts';
import { requires } from '../../http/access.ts';
import { deskWrites } from '../../operations/rest-writes.ts';
import type { Routes } from '../../ports.ts';
import { correctRecord } from './correction.ts';

const correct = {
  params: z.strictObject({ id: idParamSchema }),
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
};
