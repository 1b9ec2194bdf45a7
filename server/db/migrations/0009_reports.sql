CREATE TABLE "day_figures" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"figures" jsonb NOT NULL,
	CONSTRAINT "day_figures_clinic_id_day_pk" PRIMARY KEY("clinic_id","day")
);
--> statement-breakpoint
CREATE TABLE "day_orders" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"orders" integer NOT NULL,
	"total_minor" bigint NOT NULL,
	"paid_minor" bigint NOT NULL,
	"refunded_minor" bigint NOT NULL,
	CONSTRAINT "day_orders_clinic_id_day_type_status_pk" PRIMARY KEY("clinic_id","day","type","status")
);
--> statement-breakpoint
CREATE TABLE "stale_days" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "stale_days_clinic_id_day_id_pk" PRIMARY KEY("clinic_id","day","id")
);
--> statement-breakpoint
DROP INDEX "orders_clinic_id_business_day_index";--> statement-breakpoint
DROP INDEX "invoices_clinic_id_number_index";--> statement-breakpoint
DROP INDEX "orders_clinic_id_number_index";--> statement-breakpoint
CREATE INDEX "order_lines_clinic_id_stock_id_order_id_index" ON "order_lines" USING btree ("clinic_id","stock_id","order_id") WHERE stock_id is not null;--> statement-breakpoint
CREATE INDEX "order_lines_clinic_id_product_id_order_id_index" ON "order_lines" USING btree ("clinic_id","product_id","order_id") WHERE product_id is not null;--> statement-breakpoint
CREATE INDEX "orders_reported" ON "orders" USING btree ("clinic_id","business_day","created_at","id","type","status","total_minor","paid_minor");--> statement-breakpoint
CREATE INDEX "payments_refunds" ON "payments" USING btree ("clinic_id","order_id","amount_minor") WHERE amount_minor < 0;--> statement-breakpoint
CREATE INDEX "invoices_clinic_id_number_index" ON "invoices" USING btree ("clinic_id","number" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "orders_clinic_id_number_index" ON "orders" USING btree ("clinic_id","number" text_pattern_ops);--> statement-breakpoint
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
