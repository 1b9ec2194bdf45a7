ALTER TABLE "sync_ops" ADD COLUMN "approved_by" integer;--> statement-breakpoint
ALTER TABLE "sync_ops" ADD COLUMN "approver_name" text;