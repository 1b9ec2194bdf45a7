/** Reads the file of a multipart form, and its optional purpose. */
import type { FastifyRequest } from 'fastify';
import { maxUploadBytes, uploadPurposes } from '#domain/uploads.ts';
import type { UploadPurpose } from '#domain/uploads.ts';
import { accept, refuse } from '#domain/result.ts';
import { invalid, invalidField, unknownKeys } from '#server/http/validation.ts';
import type { Issue } from '#server/http/validation.ts';
import type { Result } from '#domain/result.ts';

/** Limits that keep the memory of a request to one file. */
const limits = {
  fileSize: maxUploadBytes,
  files: 1,
  fields: 4,
  parts: 5,
  fieldSize: 100,
  fieldNameSize: 100,
  headerPairs: 20,
};

export interface UploadForm {
  name: string;
  content: Buffer;
  purpose?: UploadPurpose | undefined;
}

export async function readUploadForm(request: FastifyRequest): Promise<Result<UploadForm>> {
  if (!request.isMultipart()) return refuse('FILE_MISSING');
  const refused = (issues: Issue[]) => ({ ok: false as const, refusal: invalid(request, issues, { purpose: '' }) });
  let file: Pick<UploadForm, 'name' | 'content'> | undefined;
  let purpose: UploadPurpose | undefined;
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file' && part.fieldname === 'file')
        file = { name: part.filename, content: await part.toBuffer() };
      else if (part.type === 'file') part.file.resume();
      else if (part.fieldname === 'purpose') {
        purpose = uploadPurposes.find((known) => known === part.value);
        if (!purpose)
          return refused([{ code: 'invalid_value', path: ['purpose'], message: '', values: uploadPurposes }]);
      } else return refused([unknownKeys([part.fieldname])]);
    }
  } catch (error) {
    // Any error while reading the form is the client's.
    const isTooLarge = error instanceof request.server.multipartErrors.RequestFileTooLargeError;
    return isTooLarge ? refuse('FILE_TOO_LARGE') : refused([invalidField('body', 'oneFile')]);
  }
  return file ? accept({ ...file, ...(purpose && { purpose }) }) : refuse('FILE_MISSING');
}
