ALTER TABLE "order_cancels" ADD COLUMN "credit_note_number" text;--> statement-breakpoint
ALTER TABLE "order_cancels" ADD COLUMN "credit_note" jsonb;--> statement-breakpoint
ALTER TABLE "order_cancels" ADD COLUMN "device_id" integer;--> statement-breakpoint
ALTER TABLE "order_cancels" ADD COLUMN "annulled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "invoices_without_payment" ON "invoices" USING btree ("clinic_id","issued_at") WHERE document ? 'device_id';--> statement-breakpoint
CREATE INDEX "order_cancels_corrections" ON "order_cancels" USING btree ("clinic_id","effective_at") WHERE credit_note is not null;--> statement-breakpoint
CREATE INDEX "order_cancels_clinic_id_credit_note_number_index" ON "order_cancels" USING btree ("clinic_id","credit_note_number") WHERE credit_note_number is not null;