import type { FastifyReply } from 'fastify';
import type { Language } from '#domain/language.ts';
import { problemOf } from '#domain/problems.ts';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { Refusal } from '#domain/result.ts';
import { translationsIn } from '../translations.ts';
import { languageOf } from './language.ts';

/** Undoes a transaction of which one part was refused, and refuses the request as a whole. */
export class RefusedError extends Error {
  constructor(readonly refusal: Refusal) {
    super(`Refused: ${refusal.code}`);
  }
}

export interface ErrorBody {
  success: false;
  code: ErrorCode;
  message: string;
  details?: Refusal['details'];
}

/** The number of sentences that the message of an invalid request repeats; the details have all of them. */
const sentencesInMessage = 3;

/** Returns the English body of a refusal. Receipts store it in English, and each reader gets it in their language. */
export function errorBody({ code, details }: Refusal): ErrorBody {
  return { success: false, code, message: messageOf(code, details, 'en'), ...(details && { details }) };
}

export function inLanguage(body: ErrorBody, language: Language): ErrorBody {
  if (language === 'en') return body;
  const details =
    body.details &&
    Object.fromEntries(
      Object.entries(body.details).map(([name, value]) => [
        name,
        typeof value === 'string' ? translated(value, language) : value,
      ]),
    );
  return { ...body, message: messageOf(body.code, details, language), ...(details && { details }) };
}

/** Returns a sentence of the catalogues in another language; any other text as it is. */
function translated(sentence: string, language: Language): string {
  const { problems, errors } = translationsIn(language);
  const problem = problemOf(sentence);
  if (problem) return problems[problem];
  const code = codesBySentence.get(sentence);
  return code ? errors[code] : sentence;
}

const codesBySentence: ReadonlyMap<string, ErrorCode> = new Map(
  Object.entries(errorCatalogue).map(([code, { message }]) => [message, code as ErrorCode]),
);

/** An invalid request says what is wrong with it: many clients show the message alone. */
function messageOf(code: ErrorCode, details: Refusal['details'], language: Language): string {
  const sentences =
    code === 'VALIDATION' ? Object.values(details ?? {}).filter((value) => typeof value === 'string') : [];
  if (sentences.length > 0) return sentences.slice(0, sentencesInMessage).join('. ');
  return language === 'en' ? errorCatalogue[code].message : translationsIn(language).errors[code];
}

/** Tells a client that has used up its budget when to come back. */
export const sendWait = (reply: FastifyReply, seconds: number): FastifyReply =>
  sendRefusal(reply.header('retry-after', seconds), { code: 'TOO_MANY_REQUESTS' });

/** Sends a refusal with its status. It sets the content type, because the route may have set the type of a file. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  return reply
    .status(errorCatalogue[refusal.code].status)
    .type('application/json; charset=utf-8')
    .send(inLanguage(errorBody(refusal), languageOf(reply.request.headers)));
}
