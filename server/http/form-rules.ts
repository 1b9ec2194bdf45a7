/**
 * Lets the refusal of an invalid body name all wrong fields. A schema checks types and the domain checks values, and a body
 * that its schema refuses never reaches the domain. So a route declares the rules of its form, and they also check the
 * fields that the schema can read. What only the database knows, such as a taken email, comes when the rest is right.
 */
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { problemMessages } from '#domain/problems.ts';
import type { Problems } from '#domain/problems.ts';
import { withChanges } from '../partial-update.ts';

/** The fields of a body that its schema can read. */
type Said = Record<string, unknown>;

interface FormRules {
  isNew: boolean;
  problemsIn: (said: Said) => Problems<string>;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    formRules?: FormRules;
  }
}

const rulesFor =
  (isNew: boolean) =>
  <Draft extends object>(blank: Draft, problemsOf: (draft: Draft) => Problems<string>): { formRules: FormRules } => ({
    formRules: { isNew, problemsIn: (said) => problemsOf(withChanges(blank, said as Partial<Draft>)) },
  });

/** Declares the rules of a route that creates: `{ config: { ...requires('staff.write'), ...newForm(blankStaff, problemsOf) } }`. */
export const newForm = rulesFor(true);
/** Declares the rules of a route that changes the fields of a body. No rule may depend on a field that the body leaves out. */
export const changeForm = rulesFor(false);

/** Returns what the form's rules say of a body that its schema refused, besides the fields that the schema has named. */
export function furtherProblems(
  { body, routeOptions }: FastifyRequest,
  named: readonly string[],
): Record<string, string> {
  const { formRules } = routeOptions.config;
  const fields = fieldsOf(routeOptions.schema?.body);
  if (!formRules || !fields || typeof body !== 'object' || body === null || Array.isArray(body)) return {};
  const isNamed = new Set(named.map((path) => path.split('.')[0]));
  const said = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const field = isNamed.has(name) || !Object.hasOwn(fields, name) ? null : fields[name]!.safeParse(value);
      return field?.success ? [[name, field.data]] : [];
    }),
  );
  const found = Object.entries(problemMessages(formRules.problemsIn(said)));
  return Object.fromEntries(
    found.filter(([name]) => !isNamed.has(name) && (formRules.isNew || Object.hasOwn(said, name))),
  );
}

/** Returns the fields of an object's schema, before it is transformed. */
function fieldsOf(schema: unknown): Record<string, z.ZodType> | null {
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in);
  return schema instanceof z.ZodObject ? schema.shape : null;
}
