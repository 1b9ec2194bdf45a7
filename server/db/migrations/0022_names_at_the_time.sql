ALTER TABLE "audit_log" ADD COLUMN "user_name" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "uploader_name" text;--> statement-breakpoint
ALTER TABLE "audit_log" ADD COLUMN "subject_name" text;--> statement-breakpoint
ALTER TABLE "sync_ops" ADD COLUMN "actor_name" text;--> statement-breakpoint
ALTER TABLE "sync_ops" ADD COLUMN "uploader_name" text;