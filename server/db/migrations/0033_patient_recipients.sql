ALTER TABLE "patients" ADD COLUMN "recipient" jsonb;--> statement-breakpoint
ALTER TABLE "patients" ADD COLUMN "recipient_at" timestamp with time zone;