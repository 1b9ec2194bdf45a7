ALTER TABLE "order_lines" ADD COLUMN "earned_minor" bigint;--> statement-breakpoint
UPDATE "order_lines" SET "earned_minor" = CASE WHEN "removed" THEN 0 ELSE "total_minor" END;--> statement-breakpoint
ALTER TABLE "order_lines" ALTER COLUMN "earned_minor" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "reduction_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "reduction_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "still_owed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refunded_lines" jsonb DEFAULT '[]' NOT NULL;--> statement-breakpoint
UPDATE "payments" SET "credit_note" = "credit_note" || jsonb_build_object('total_amount',
  coalesce((SELECT sum((t->>'gross')::numeric) FROM jsonb_array_elements("credit_note"->'tax_totals') t), "amount_minor" / 100.0))
  WHERE "credit_note" IS NOT NULL;--> statement-breakpoint
UPDATE "order_cancels" SET "credit_note" = "credit_note" || jsonb_build_object('total_amount',
  coalesce((SELECT sum((t->>'gross')::numeric) FROM jsonb_array_elements("credit_note"->'tax_totals') t), 0))
  WHERE "credit_note" IS NOT NULL;
