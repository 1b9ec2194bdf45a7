/**
 * The second wall between clinics (decision 046). A request works in a role that owns nothing, and row-level security
 * shows it the rows of the clinic that its connection names. So a query that forgets its `clinic_id` finds no row of
 * another clinic. The owner of the tables sees all clinics; `acrossClinics` is the name of that way.
 */
import type { ClientBase } from 'pg';
import { sqlState } from './transaction.ts';

export const clinicRole = 'dental_counter_clinic';

/** The setting that policies compare `clinic_id` with. Without it every statement of the role fails. */
const clinicSetting = 'dental_counter.clinic';

/**
 * A statement that takes longer, waits longer for a lock, or leaves its transaction idle for longer, ends: one request
 * cannot hold what others need. They are below the time after which the program gives a connection up.
 */
const limits = {
  statement_timeout: '50s',
  lock_timeout: '30s',
  idle_in_transaction_session_timeout: '60s',
};

/** The statements after which a connection that shows one clinic, or all for null, shows another. */
export function statementsToSee(clinicId: number | null, shown: number | null): string {
  if (clinicId === null)
    return ['role', clinicSetting, ...Object.keys(limits)].map((name) => `reset ${name}`).join('; ');
  // Role and limits are the same in every clinic.
  const settings = { ...(shown === null && { role: clinicRole, ...limits }), [clinicSetting]: String(clinicId) };
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');
}

/** Creates the role unless it exists. Roles belong to a cluster, so other installations in it may share this one. */
export async function createClinicRole(sql: Pick<ClientBase, 'query'>): Promise<void> {
  const found = await sql.query('select from pg_roles where rolname = $1', [clinicRole]);
  if (found.rowCount === 0)
    await sql.query(`create role ${clinicRole} nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls`);
}

/** Makes sure that the role exists and that this connection can change to it, and says what to do otherwise. */
export async function ensureClinicRole(sql: Pick<ClientBase, 'query'>): Promise<void> {
  const { rows } = await sql.query(
    `select quote_ident(current_user) as owner, current_setting('server_version_num')::int as version`,
  );
  const [{ owner, version }] = rows as [{ owner: string; version: number }];
  // Since PostgreSQL 16 who creates a role is its member and yet may not change to it, and a grant that is there keeps its options.
  const grant = `grant ${clinicRole} to ${owner}${version >= 160_000 ? ' with set true' : ''}`;
  try {
    await createClinicRole(sql);
    if (await mayChange(sql)) return;
    await sql.query(grant);
    await changeAndBack(sql);
  } catch (error) {
    if (sqlState(error) !== insufficientPrivilege) throw error;
    throw new Error(
      `The database lacks the role ${clinicRole}, or ${owner} may not change to it. Run as an administrator of PostgreSQL: ` +
        `create role ${clinicRole} nologin (unless it is there), and: ${grant}; (docs/operating.md, "The two roles")`,
      { cause: error },
    );
  }
}

const changeAndBack = (sql: Pick<ClientBase, 'query'>) => sql.query(`set role ${clinicRole}; reset role`);

const mayChange = (sql: Pick<ClientBase, 'query'>): Promise<boolean> =>
  changeAndBack(sql).then(
    () => true,
    (error: unknown) => {
      if (sqlState(error) === insufficientPrivilege) return false;
      throw error;
    },
  );

const insufficientPrivilege = '42501';
