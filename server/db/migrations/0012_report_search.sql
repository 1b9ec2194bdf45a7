CREATE TABLE "day_amounts" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"amounts_minor" bigint[] NOT NULL,
	"orders" integer[] NOT NULL,
	"totals_minor" bigint[] NOT NULL,
	"paid_minor" bigint[] NOT NULL,
	"refunded_minor" bigint[] NOT NULL,
	CONSTRAINT "day_amounts_clinic_id_day_pk" PRIMARY KEY("clinic_id","day")
);
--> statement-breakpoint
-- Days that are kept already are counted again, by amount as well.
DELETE FROM "day_figures";
