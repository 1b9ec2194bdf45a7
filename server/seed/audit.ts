/** The audit log of the demo clinic apart from expenses, purchases and drawers: the set-up and the sign-ins. */
import type { Sql } from '../db/sql.ts';

const minutesBeforeOpening = 4;

/** Derives the entries from the rows, so that the log agrees with them. */
export async function seedAudit(sql: Sql, { clinicId, adminId }: { clinicId: number; adminId: number }): Promise<void> {
  await sql.query(
    `insert into audit_log (clinic_id, at, user_id, device_id, action, subject, details)
     select $1, at, user_id, device_id, action, subject, details from (
       select created_at as at, $2::int as user_id, null::int as device_id, 'staff.created' as action, 'user:' || id as subject,
         jsonb_build_object('role', role, 'status', status) as details from users where clinic_id = $1
       union all
       select created_at, $2, null, 'room.created', id::text, jsonb_build_object('number', number, 'capacity', capacity, 'location', location) from rooms where clinic_id = $1
       union all
       select created_at, $2, null, 'category.created', id::text, jsonb_build_object('name', name) from categories where clinic_id = $1
       union all
       select opened_at - interval '${minutesBeforeOpening} minutes', opened_by, device_id, 'sign_in', '', '{}' from drawers where clinic_id = $1) deeds
     order by at, action, subject`,
    [clinicId, adminId],
  );
}
