ALTER TABLE "sessions" ADD COLUMN "id" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_seen_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "codes_granted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "revoked_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "revoked_by" integer;--> statement-breakpoint
ALTER TABLE "devices" ADD COLUMN "revoked_reason" text;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_clinic_id_id_index" ON "sessions" USING btree ("clinic_id","id");--> statement-breakpoint
CREATE INDEX "sessions_clinic_id_expires_at_index" ON "sessions" USING btree ("clinic_id","expires_at");