ALTER TABLE "orders" ADD COLUMN "discount_reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "credit_note" jsonb;--> statement-breakpoint
ALTER TABLE "attention_items" ADD COLUMN "settled_reason" text;