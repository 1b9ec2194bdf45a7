import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { palette } from '#domain/stock/palette.ts';
import { drawingNames } from '#domain/stock/pictures.ts';
import { idParamSchema, uuidSchema } from '#domain/wire/schemas.ts';
import { uploadPurposes } from '#domain/uploads.ts';
import type { UploadPurpose } from '#domain/uploads.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { boundsItself } from '#server/http/turns.ts';
import { isPublic, requires } from '#server/http/access.ts';
import { askerOf } from '#server/http/askers.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { deskWrites } from '#server/operations/rest-writes.ts';
import type { WriteHandler } from '#server/operations/rest-writes.ts';
import { Admission } from './admission.ts';
import { drawPicture } from './drawn-pictures.ts';
import { readUploadForm } from './form.ts';
import { keepUpload, prepareUpload } from './keep.ts';
import { refusalOfUpload, spaceOf, uploadSpace } from './space.ts';
import type { Space } from './space.ts';
import { findUpload } from './store.ts';

const retryAfterSeconds = 5;

/** Routes under `/api`: uploads, and receipts for those allowed to see them. */
export const uploadRoutes: Routes = (ports) => async (api) => {
  // Registered for these routes only: all others refuse forms.
  await api.register(multipart);
  const write = deskWrites(ports, 'uploads');
  const space = spaceOf(ports);
  fileRoute(api, ports, space, write);
  drawingRoute(api, space, write);
  receiptRoute(api, ports);
  spaceRoute(api, ports, space);
};

function fileRoute(api: Api, { database, clock }: RoutePorts, space: Space, write: WriteHandler): void {
  const admission = new Admission();

  async function takeIn(request: FastifyRequest, reply: FastifyReply, purpose: UploadPurpose | undefined) {
    const { session } = request;
    const form = await readUploadForm(request);
    if (!form.ok) return sendRefusal(reply, form.refusal);
    const prepared = await prepareUpload({ ...(purpose && { purpose }), ...form.value });
    if (!prepared.ok) return sendRefusal(reply, prepared.refusal);
    const body = {
      purpose: prepared.value.purpose,
      sha256: createHash('sha256').update(form.value.content).digest('hex'),
    };
    return write(request, reply, { kind: 'upload.create', aggregate: `upload:${body.sha256}`, body }, ({ sql, atMs }) =>
      keepUpload(sql, session, prepared.value, { ...space, atMs }),
    );
  }

  api.post(
    '/upload/file',
    {
      // A file arrives while the route waits for it.
      config: { ...requires('upload.create'), ...boundsItself },
      schema: { querystring: z.strictObject({ purpose: z.enum(uploadPurposes).optional() }) },
    },
    async (request, reply) => {
      const leave = await admission.enter(request.session.clinicId, askerOf(request));
      if (!leave) return sendRefusal(reply.header('retry-after', retryAfterSeconds), { code: 'TOO_MANY_REQUESTS' });
      try {
        // Where no byte has room, none is read.
        const asked = { ...space, atMs: clock(), bytes: 1 };
        const { session } = request;
        const refusal = await refusalOfUpload(withinClinic(database, session.clinicId), session, asked);
        if (refusal) return sendRefusal(reply, { code: refusal });
        return await takeIn(request, reply, request.query.purpose);
      } finally {
        leave();
      }
    },
  );
}

/** Stores a drawing of the picture library in a colour. */
function drawingRoute(api: Api, space: Space, write: WriteHandler): void {
  api.post(
    '/upload/drawing',
    {
      config: requires('upload.create'),
      schema: { body: z.strictObject({ drawing: z.enum(drawingNames), color: z.enum(Object.values(palette)) }) },
    },
    async (request, reply) => {
      const { session, body } = request;
      const content = await drawPicture(body.drawing, body.color);
      const call = { kind: 'upload.create', aggregate: `drawing:${body.drawing}` };
      const picture = { purpose: 'picture', mediaType: 'image/webp', content } as const;
      return write(request, reply, call, ({ sql, atMs }) => keepUpload(sql, session, picture, { ...space, atMs }));
    },
  );
}

function receiptRoute(api: Api, { database }: RoutePorts): void {
  api.get(
    '/uploads/:id',
    { config: requires('upload.read'), schema: { params: z.strictObject({ id: uuidSchema }) } },
    async (request, reply) => {
      const { id } = request.params;
      const receipt = await findUpload(withinClinic(database, request.session.clinicId), {
        clinicId: request.session.clinicId,
        id,
        purpose: 'receipt',
      });
      if (!receipt) return sendRefusal(reply, { code: 'NOT_FOUND' });
      const isImage = receipt.mediaType.startsWith('image/');
      reply.header('content-disposition', isImage ? 'inline' : `attachment; filename="receipt-${id}.pdf"`);
      return reply.type(receipt.mediaType).send(receipt.content);
    },
  );
}

/** What files take, and may take. */
function spaceRoute(api: Api, { database, clock }: RoutePorts, space: Space): void {
  api.get('/storage', { config: requires('settings.read') }, async ({ session }) => ({
    success: true,
    data: await uploadSpace(withinClinic(database, session.clinicId), session, { ...space, atMs: clock() }),
  }));
}

const pictureFile = /^(?<id>[0-9a-f-]{36})\.webp$/;

/**
 * Routes under `/uploads`: pictures of what the counter sells. They are public because an `<img>` sends no bearer
 * token. Their random addresses, shown to signed-in staff only, protect them; receipts are not among them. A picture
 * never changes, so clients may cache it forever.
 */
export const pictureRoutes: Routes =
  ({ database }) =>
  async (files) => {
    const params = z.strictObject({ clinicId: z.string(), file: z.string() });
    files.get('/:clinicId/:file', { config: isPublic, schema: { params } }, async (request, reply) => {
      const clinicId = idParamSchema.safeParse(request.params.clinicId).data;
      const id = uuidSchema.safeParse(pictureFile.exec(request.params.file)?.groups?.['id']).data;
      const picture =
        clinicId && id
          ? await findUpload(withinClinic(database, clinicId), { clinicId, id, purpose: 'picture' })
          : undefined;
      if (!picture) return sendRefusal(reply, { code: 'NOT_FOUND' });
      const etag = `"${id}"`;
      reply.header('cache-control', 'public, max-age=31536000, immutable').header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      return reply.type(picture.mediaType).send(picture.content);
    });
  };
