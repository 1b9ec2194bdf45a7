ALTER TABLE "products" ADD COLUMN "tax" text DEFAULT 'E1' NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "tax" text DEFAULT 'E1' NOT NULL;--> statement-breakpoint
ALTER TABLE "device_codes" ADD COLUMN "full_invoice" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "device_codes" ADD COLUMN "full_credit_note" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "order_lines" ADD COLUMN "tax" text;