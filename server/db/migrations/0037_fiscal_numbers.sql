DROP INDEX "fiscal_records_cancelled";--> statement-breakpoint
CREATE INDEX "fiscal_records_clinic_id_number_index" ON "fiscal_records" USING btree ("clinic_id","number" text_pattern_ops);