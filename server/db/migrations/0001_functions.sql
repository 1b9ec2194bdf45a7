-- An update moves a row to the end of the change feed: whoever read up to an earlier transaction sees it again (SYNC-9).
CREATE FUNCTION stamp_feed_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.xid := pg_current_xact_id();
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON attention_items FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON categories FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON drawers FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON patients FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON products FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON rooms FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON settings FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON stock_items FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE TRIGGER stamp_feed_row BEFORE UPDATE ON sync_ops FOR EACH ROW EXECUTE FUNCTION stamp_feed_row();
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_log_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER fiscal_records_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON fiscal_records EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER fiscal_answers_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON fiscal_answers EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER fiscal_sendings_stay BEFORE DELETE OR TRUNCATE ON fiscal_sendings EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- What became of a record at the tax agency follows from its answers, and an answer is the last word. One that a record is there
-- already (3000, 3001) is not: the agency may say on being asked that it is this very record. Its text may go, because it
-- quotes people. A record of a false NIF (1123) is rejected before it is sent.
CREATE FUNCTION guard_fiscal_sending() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_new boolean := TG_OP = 'INSERT';
  is_answered boolean := NEW.state IN ('accepted', 'accepted_with_errors', 'rejected');
BEGIN
  IF NOT is_new THEN
    IF (NEW.clinic_id, NEW.record_id, NEW.tax_id) IS DISTINCT FROM (OLD.clinic_id, OLD.record_id, OLD.tax_id)
      OR NEW.attempts < OLD.attempts
      OR OLD.state <> 'unsent' AND NOT (OLD.state = 'rejected' AND OLD.code IN (3000, 3001) AND NEW.state LIKE 'accepted%')
        AND (NEW.state, NEW.held_for, NEW.attempts, NEW.code, NEW.replied_at, coalesce(NEW.message, OLD.message))
          IS DISTINCT FROM (OLD.state, OLD.held_for, OLD.attempts, OLD.code, OLD.replied_at, OLD.message)
      OR OLD.state = 'unsent' AND NEW.state = 'not_sent' AND OLD.held_for IS NULL
      OR is_answered AND NEW.held_for IS NOT NULL
    THEN
      RAISE EXCEPTION 'fiscal_sendings follows the answers of the tax agency' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.state = OLD.state THEN RETURN NEW; END IF;
  END IF;
  IF is_answered AND NOT (is_new AND NEW.state = 'rejected' AND NEW.code = 1123) AND NOT EXISTS (
    SELECT FROM fiscal_answers a WHERE a.clinic_id = NEW.clinic_id AND a.record_id = NEW.record_id
      AND a.code IS NOT DISTINCT FROM NEW.code AND (a.state = NEW.state OR a.state = 'rejected' AND a.code IN (3000, 3001)))
  THEN
    RAISE EXCEPTION 'fiscal_sendings follows the answers of the tax agency' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER guard_fiscal_sending BEFORE INSERT OR UPDATE ON fiscal_sendings FOR EACH ROW EXECUTE FUNCTION guard_fiscal_sending();
--> statement-breakpoint
CREATE TRIGGER invoices_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON invoices EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER collective_invoices_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON collective_invoices EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
ALTER TABLE installation ADD CONSTRAINT installation_one_row CHECK ("only");
--> statement-breakpoint
ALTER TABLE home_cluster ADD CONSTRAINT home_cluster_one_row CHECK ("only");
--> statement-breakpoint
-- What is kept of a day no longer holds once a late fact touches it. Days that are two days old or less are never kept, so the
-- work of the day marks nothing. A day's age is told from when its fact arrived, and Greenwich's calendar is near enough: it is
-- never more than a day away from the clinic's own, and a day is kept only when it is three days old.
CREATE FUNCTION mark_days_of_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stale_days (clinic_id, day)
  SELECT DISTINCT clinic_id, business_day FROM changed WHERE business_day <= (updated_at AT TIME ZONE 'UTC')::date - 2;
  -- What part of each payment is charge depends on the whole treatment.
  IF EXISTS (SELECT FROM changed WHERE charge_minor > 0) THEN
    INSERT INTO stale_days (clinic_id, day)
    SELECT DISTINCT p.clinic_id, p.business_day FROM changed c JOIN payments p ON p.clinic_id = c.clinic_id AND p.order_id = c.id
    WHERE c.charge_minor > 0 AND p.business_day <= (c.updated_at AT TIME ZONE 'UTC')::date - 2;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER mark_days_inserted AFTER INSERT ON orders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_days_of_orders();
--> statement-breakpoint
CREATE TRIGGER mark_days_updated AFTER UPDATE ON orders REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_days_of_orders();
--> statement-breakpoint
CREATE FUNCTION mark_days_of_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stale_days (clinic_id, day)
  SELECT DISTINCT clinic_id, business_day FROM changed WHERE business_day <= (received_at AT TIME ZONE 'UTC')::date - 2;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER mark_days_inserted AFTER INSERT ON payments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION mark_days_of_payments();
--> statement-breakpoint
-- The words of a name, for `@@`: lower case, without accents, each behind its clinic, so that clinics do not search each other.
CREATE FUNCTION name_words(clinic_id integer, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(string_to_array(
  clinic_id || '/' || replace(regexp_replace(normalize(lower(name), NFD), '[\u0300-\u036f]', '', 'g'), ' ', ' ' || clinic_id || '/'), ' '));
--> statement-breakpoint
CREATE INDEX orders_customer_words ON orders USING gin (name_words(clinic_id, customer_name)) WHERE customer_name <> '';
--> statement-breakpoint
-- Event streams end with their session, in every process and however it ended: sign-out, a new password, a removed person or device.
CREATE FUNCTION tell_session_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('session_ends', NEW.clinic_id || ' ' || NEW.jti);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER session_ends AFTER UPDATE OF ended_at ON sessions FOR EACH ROW WHEN (NEW.ended_at IS NOT NULL) EXECUTE FUNCTION tell_session_end();
--> statement-breakpoint
-- Every way to change a price or a tax passes here: forms, tables and deliveries. A tablet that was offline sells with the former.
CREATE FUNCTION keep_former_price() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'products' THEN
    INSERT INTO former_prices (clinic_id, product_id, price_minor, tax, until) VALUES (OLD.clinic_id, OLD.id, OLD.price_minor, OLD.tax, NEW.updated_at);
  ELSE
    INSERT INTO former_prices (clinic_id, stock_id, price_minor, tax, until) VALUES (OLD.clinic_id, OLD.id, OLD.cost_minor, OLD.tax, NEW.updated_at);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER keep_former_price AFTER UPDATE ON stock_items FOR EACH ROW WHEN (OLD.cost_minor <> NEW.cost_minor OR OLD.tax <> NEW.tax) EXECUTE FUNCTION keep_former_price();
--> statement-breakpoint
CREATE TRIGGER keep_former_price AFTER UPDATE ON products FOR EACH ROW WHEN (OLD.price_minor <> NEW.price_minor OR OLD.tax <> NEW.tax) EXECUTE FUNCTION keep_former_price();
--> statement-breakpoint
-- Requests work in a role that owns nothing and sees the rows of one clinic, which its connection names (decision 046).
-- Whoever owns the tables sees all clinics.
GRANT USAGE ON SCHEMA public TO dental_counter_clinic;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO dental_counter_clinic;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO dental_counter_clinic;
--> statement-breakpoint
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO dental_counter_clinic;
--> statement-breakpoint
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE ON SEQUENCES TO dental_counter_clinic;
--> statement-breakpoint
-- These tables belong to no clinic. A request reads the pace of its taxpayer, and nothing else of them.
REVOKE ALL ON installation, home_cluster, guesses, fiscal_inquiries FROM dental_counter_clinic;
--> statement-breakpoint
REVOKE INSERT, UPDATE, DELETE ON fiscal_senders FROM dental_counter_clinic;
--> statement-breakpoint
REVOKE UPDATE, DELETE ON audit_log, fiscal_records, invoices, collective_invoices FROM dental_counter_clinic;
--> statement-breakpoint
-- The sender of fiscal records writes them, and a restore.
REVOKE INSERT, UPDATE, DELETE ON fiscal_answers, fiscal_lost_documents FROM dental_counter_clinic;
--> statement-breakpoint
REVOKE DELETE ON fiscal_sendings FROM dental_counter_clinic;
--> statement-breakpoint
-- Only a restore writes it.
REVOKE INSERT, UPDATE, DELETE ON forgotten_prefixes FROM dental_counter_clinic;
--> statement-breakpoint
-- A migration that creates a table calls it: SELECT keep_clinics_apart('table').
CREATE FUNCTION keep_clinics_apart(given regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', given);
  EXECUTE format('CREATE POLICY one_clinic ON %s USING (clinic_id = current_setting(''dental_counter.clinic'')::int)', given);
END
$$;
--> statement-breakpoint
SELECT keep_clinics_apart(t.oid) FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'clinic_id'
  WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace;
--> statement-breakpoint
ALTER TABLE clinics ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY one_clinic ON clinics USING (id = current_setting('dental_counter.clinic')::int);
--> statement-breakpoint
-- Clinics of one taxpayer share a sequence of codes. Tells whether any clinic has a code, and nothing else of it.
CREATE FUNCTION is_granted(given text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT EXISTS (SELECT FROM device_codes WHERE code = given)
$$;
--> statement-breakpoint
-- A policy keeps PostgreSQL from using the index of words, because `@@` could leak a value. This function names the clinic itself.
CREATE FUNCTION orders_of_customer(words tsquery) RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT id FROM orders WHERE clinic_id = current_setting('dental_counter.clinic')::int AND customer_name <> '' AND name_words(clinic_id, customer_name) @@ words
$$;
