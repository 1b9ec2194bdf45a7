-- Once, on the primary: envsubst < clinic.sql | psql -qAt -h … -U postgres >> userlist.txt of each PgBouncer
create role clinic login password '${CLINIC_PASSWORD}';
create database clinic owner clinic;
-- The role in which requests see one clinic. It does not log in.
create role dental_counter_clinic nologin;
grant dental_counter_clinic to clinic;
-- The line for PgBouncer's user list:
select format('"clinic" "%s"', rolpassword) from pg_authid where rolname = 'clinic';
