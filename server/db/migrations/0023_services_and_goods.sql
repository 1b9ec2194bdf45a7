ALTER TABLE "products" ADD COLUMN "needs_preparation" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "is_favourite" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "needs_preparation" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "is_favourite" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_items" ADD COLUMN "is_stocked" boolean DEFAULT true NOT NULL;