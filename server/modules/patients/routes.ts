import { z } from 'zod';
import { orderResource } from '#domain/order/to-resource.ts';
import { longPageSize, paginationOf } from '#domain/pagination.ts';
import { shownTo } from '#domain/column-permissions.ts';
import { blankPatient, patientProblems } from '#domain/patient/draft.ts';
import { may } from '#domain/permissions.ts';
import { recipientSchema } from '#domain/tax/schemas.ts';
import { seenField, textSchema, uuidSchema } from '#domain/wire/schemas.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Session } from '#server/context.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { changeBody, changesIn } from '#server/http/change-body.ts';
import { streamed } from '#server/http/streamed.ts';
import { canWait } from '#server/http/turns.ts';
import { changeForm, newForm } from '#server/http/form-rules.ts';
import { pageNumber, pageRow, pageSize, partOf } from '#server/http/paging.ts';
import { receiptIdOf } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import type { WriteCall } from '#server/operations/rest-writes.ts';
import { recordAudit } from '../audit/service.ts';
import { patientTreatments } from '../orders/service.ts';
import { erasePatient, patientsAggregate } from './erasure-service.ts';
import { changePatient, createPatient, patientHistory } from './service.ts';
import { patientFile } from './export.ts';
import { listPatients, patientById } from './store.ts';

const params = z.strictObject({ id: uuidSchema });
const paging = {
  page: pageNumber,
  per_page: pageSize(longPageSize),
};
const listQuery = z.strictObject({ ...paging, search: textSchema(200).optional() });
const historyQuery = z.strictObject({ ...paging, row: pageRow });
/** Treatments with their documents, which are long. */
const treatmentsQuery = historyQuery.extend({ per_page: pageSize(longPageSize, 100) });
/** The domain decides which texts are valid. */
const draftText = textSchema(1000);
/** The caller repeats that the erasure is meant: it cannot be undone. */
const erasureBody = z.strictObject({ reason: draftText, confirm: z.literal(true), ...seenField });
const phoneText = draftText.nullable().transform((phone) => phone ?? '');
const draftSchema = z.strictObject({
  name: draftText,
  phone: phoneText.default(''),
  email: draftText.optional(),
  notes: textSchema(5000).optional(),
  recipient: recipientSchema.nullish(),
});

/** What a change leaves out stays as it is. */
const changeSchema = changeBody(draftSchema.extend({ name: draftText.optional(), phone: phoneText.optional() }));

function readRoutes(api: Api, ports: RoutePorts): void {
  const reads = requires('patient.read');

  api.get('/patients', { config: reads, schema: { querystring: listQuery } }, async ({ session, query }) => {
    const { data, total } = await listPatients(withinClinic(ports.database, session.clinicId), session.clinicId, {
      ...query,
      inDetails: may(session.role, 'patient.details'),
    });
    const shown = data.map((patient) => shownTo(session.role, 'patient', patient));
    return { success: true, data: shown, pagination: paginationOf({ ...query, total }) };
  });

  api.get(
    '/patients/:id',
    { config: reads, schema: { params, querystring: historyQuery } },
    async ({ session, params: { id }, query }, reply) => {
      const page = { id, ...partOf(query) };
      const found = await inTransaction(
        withinClinic(ports.database, session.clinicId),
        (sql) => patientHistory(sql, session.clinicId, page),
        'snapshot',
      );
      return found
        ? {
            success: true,
            data: { ...found.patient, ...shownTo(session.role, 'patient', found.patient) },
            pagination: paginationOf({ ...query, total: found.total, rows: found.patient.treatments.length }),
          }
        : sendRefusal(reply, { code: 'PATIENT_NOT_FOUND' });
    },
  );

  api.get(
    '/patients/:id/treatments',
    { config: reads, schema: { params, querystring: treatmentsQuery } },
    async ({ session, params: { id }, query }, reply) => {
      const { clinicId, role } = session;
      const page = { patientId: id, ...partOf(query) };
      const found = await inTransaction(
        withinClinic(ports.database, clinicId),
        async (sql) => (await patientById(sql, clinicId, id)) && (await patientTreatments(sql, clinicId, page)),
        'snapshot',
      );
      if (!found) return sendRefusal(reply, { code: 'PATIENT_NOT_FOUND' });
      const data = found.orders.map((order) => orderResource(shownTo(role, 'order', order)));
      return { success: true, data, pagination: paginationOf({ ...query, total: found.total, rows: data.length }) };
    },
  );

  api.get(
    '/patients/:id/export',
    { config: requires('patient.export'), schema: { params } },
    async ({ session, params: { id } }, reply) => {
      const { clinicId } = session;
      const pool = withinClinic(ports.database, clinicId);
      if (!(await patientById(pool, clinicId, id))) return sendRefusal(reply, { code: 'PATIENT_NOT_FOUND' });
      const atMs = ports.clock();
      await recordAudit(pool, session, {
        action: 'patient.exported',
        subject: `patient:${id}`,
        at: atMs,
      });
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="patient_${id}.json"`)
        .send(streamed(patientFile(pool, { clinicId, id, atMs })));
    },
  );
}

/** The patient who is changed or erased, as far as the caller may read: a refusal tells what is stored. */
const recordFor =
  ({ role }: Session, id: string): NonNullable<WriteCall['record']> =>
  async (sql, clinicId) => {
    const patient = await patientById(sql, clinicId, id);
    return patient && shownTo(role, 'patient', patient);
  };

function writeRoutes(api: Api, ports: RoutePorts): void {
  const write = feedWrites(ports, patientsAggregate);
  const writes = requires('patient.write');

  api.post(
    '/patients',
    {
      config: { ...writes, ...newForm(blankPatient, patientProblems) },
      schema: { body: draftSchema.extend({ id: uuidSchema.optional() }) },
    },
    (request, reply) =>
      // A repetition without an id must name the same patient, so it follows from the person's key.
      write(request, reply, { kind: 'patient.create', status: 201 }, (context) =>
        createPatient(context, { ...request.body, id: request.body.id ?? receiptIdOf(request) ?? context.newId() }),
      ),
  );

  api.put(
    '/patients/:id',
    { config: { ...writes, ...changeForm(blankPatient, patientProblems) }, schema: { params, body: changeSchema } },
    (request, reply) => {
      const { id } = request.params;
      return write(request, reply, { kind: 'patient.change', record: recordFor(request.session, id) }, (context) =>
        changePatient(context, id, changesIn(request.body)),
      );
    },
  );

  api.post(
    '/patients/:id/erase',
    { config: { ...requires('patient.erase'), ...canWait }, schema: { params, body: erasureBody } },
    (request, reply) => {
      const { id } = request.params;
      return write(request, reply, { kind: 'patient.erase', record: recordFor(request.session, id) }, (context) =>
        erasePatient(context, id, request.body.reason),
      );
    },
  );
}

/** Patients over REST. Treatments that name a patient create and change patients too. */
export const patientRoutes: Routes = (ports) => async (api) => {
  readRoutes(api, ports);
  writeRoutes(api, ports);
};
