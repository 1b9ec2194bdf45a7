CREATE TABLE "taxpayer_codes" (
	"tax_id" text PRIMARY KEY NOT NULL,
	"prefix" text,
	"granted" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "device_codes" ADD COLUMN "tax_id" text;--> statement-breakpoint
UPDATE device_codes d SET retired_at = now() FROM settings s WHERE s.clinic_id = d.clinic_id AND s.data ->> 'tax_profile' = 'ES' AND d.code <> 'S0';
--> statement-breakpoint
CREATE TRIGGER fiscal_records_only_grow BEFORE UPDATE OR DELETE OR TRUNCATE ON fiscal_records EXECUTE FUNCTION refuse_change();
