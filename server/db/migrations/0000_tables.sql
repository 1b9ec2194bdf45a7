CREATE TABLE "audit_log" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"device_id" integer,
	"uploaded_by" integer,
	"user_name" text,
	"uploader_name" text,
	"subject_name" text,
	"action" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_log_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "passkeys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"credential_id" "bytea" NOT NULL,
	"public_key" "bytea" NOT NULL,
	"origin" text NOT NULL,
	"signatures" bigint NOT NULL,
	"challenged_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "passkeys_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"clinic_id" integer NOT NULL,
	"jti" uuid NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"device_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"unlock_id" uuid,
	"unlocked_until" timestamp with time zone,
	"key_ended_at" timestamp with time zone,
	"codes_granted" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sessions_clinic_id_jti_pk" PRIMARY KEY("clinic_id","jti")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"email" text NOT NULL,
	"phone" text,
	"password_hash" text NOT NULL,
	"role" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"deactivated_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "categories_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"color" text,
	"image_url" text,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "categories_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "former_prices" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "former_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"stock_id" integer,
	"product_id" integer,
	"price_minor" bigint NOT NULL,
	"tax" text DEFAULT 'E1' NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "former_prices_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "product_ingredients" (
	"clinic_id" integer NOT NULL,
	"product_id" integer NOT NULL,
	"stock_id" integer NOT NULL,
	"quantity_milli" bigint NOT NULL,
	CONSTRAINT "product_ingredients_clinic_id_product_id_stock_id_pk" PRIMARY KEY("clinic_id","product_id","stock_id")
);
--> statement-breakpoint
CREATE TABLE "products" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "products_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"search_key" text NOT NULL,
	"category_id" integer,
	"image_url" text,
	"barcode" text,
	"is_available" boolean DEFAULT true NOT NULL,
	"needs_preparation" boolean DEFAULT true NOT NULL,
	"is_favourite" boolean DEFAULT false NOT NULL,
	"tax" text DEFAULT 'E1' NOT NULL,
	"deleted_at" timestamp with time zone,
	"description" text DEFAULT '' NOT NULL,
	"price_minor" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "products_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "stock_items" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "stock_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"search_key" text NOT NULL,
	"category_id" integer,
	"image_url" text,
	"barcode" text,
	"is_available" boolean DEFAULT true NOT NULL,
	"needs_preparation" boolean DEFAULT true NOT NULL,
	"is_favourite" boolean DEFAULT false NOT NULL,
	"tax" text DEFAULT 'E1' NOT NULL,
	"deleted_at" timestamp with time zone,
	"is_stocked" boolean DEFAULT true NOT NULL,
	"unit" text DEFAULT 'pcs' NOT NULL,
	"supplier" text DEFAULT '' NOT NULL,
	"supplier_contact" text DEFAULT '' NOT NULL,
	"quantity_milli" bigint DEFAULT 0 NOT NULL,
	"reserved_milli" bigint DEFAULT 0 NOT NULL,
	"held_milli" bigint DEFAULT 0 NOT NULL,
	"low_stock_threshold_milli" bigint DEFAULT 0 NOT NULL,
	"cost_minor" bigint DEFAULT 0 NOT NULL,
	"tracks_lots" boolean DEFAULT false NOT NULL,
	"counted_at" timestamp with time zone,
	"last_restocked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "stock_items_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "stock_note_words" (
	"clinic_id" integer NOT NULL,
	"transaction_id" bigint NOT NULL,
	"word" text NOT NULL,
	"type" text NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stock_note_words_clinic_id_transaction_id_word_pk" PRIMARY KEY("clinic_id","transaction_id","word")
);
--> statement-breakpoint
CREATE TABLE "stock_transactions" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "stock_transactions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"stock_id" integer NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'completed' NOT NULL,
	"is_count" boolean DEFAULT false NOT NULL,
	"unit" text DEFAULT 'pcs' NOT NULL,
	"quantity_milli" bigint NOT NULL,
	"effect_milli" bigint NOT NULL,
	"previous_milli" bigint NOT NULL,
	"new_milli" bigint NOT NULL,
	"cost_minor" bigint DEFAULT 0 NOT NULL,
	"reference_type" text,
	"reference_id" text,
	"notes" text DEFAULT '' NOT NULL,
	"user_id" integer,
	"device_id" integer,
	"op_id" uuid NOT NULL,
	"line_id" uuid,
	"effective_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_transactions_clinic_id_id_pk" PRIMARY KEY("clinic_id","id"),
	CONSTRAINT "stock_transactions_once" UNIQUE NULLS NOT DISTINCT("clinic_id","op_id","stock_id","line_id")
);
--> statement-breakpoint
CREATE TABLE "clinics" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clinics_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"epoch" uuid DEFAULT gen_random_uuid() NOT NULL,
	"actor_key_secret" "bytea" DEFAULT sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea) NOT NULL,
	"next_device" integer DEFAULT 0 NOT NULL,
	"purchase_orders" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "device_codes" (
	"clinic_id" integer NOT NULL,
	"code" text NOT NULL,
	"device_id" integer NOT NULL,
	"treatment" integer DEFAULT 0 NOT NULL,
	"invoice" integer DEFAULT 0 NOT NULL,
	"credit_note" integer DEFAULT 0 NOT NULL,
	"full_invoice" integer DEFAULT 0 NOT NULL,
	"full_credit_note" integer DEFAULT 0 NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone,
	"tax_id" text,
	CONSTRAINT "device_codes_clinic_id_code_pk" PRIMARY KEY("clinic_id","code")
);
--> statement-breakpoint
CREATE TABLE "devices" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "devices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key_hash" text,
	"name" text DEFAULT '' NOT NULL,
	"code" text NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone,
	"waiting" integer DEFAULT 0 NOT NULL,
	"cleared_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"revoked_by" integer,
	"revoked_reason" text,
	"browser" text DEFAULT '' NOT NULL,
	"lock_asked_at" timestamp with time zone,
	CONSTRAINT "devices_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "forgotten_prefixes" (
	"tax_id" text NOT NULL,
	"prefix" text NOT NULL,
	CONSTRAINT "forgotten_prefixes_tax_id_prefix_pk" PRIMARY KEY("tax_id","prefix")
);
--> statement-breakpoint
CREATE TABLE "home_cluster" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"system_identifier" text,
	"database_oid" bigint NOT NULL,
	"table_oid" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"token_secret" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"clinic_id" integer PRIMARY KEY NOT NULL,
	"data" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "taxpayer_codes" (
	"tax_id" text PRIMARY KEY NOT NULL,
	"prefix" text,
	"granted" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "drawer_movements" (
	"clinic_id" integer NOT NULL,
	"op_id" uuid NOT NULL,
	"drawer_id" uuid NOT NULL,
	"amount_minor" bigint NOT NULL,
	"reason" text NOT NULL,
	"actor_id" integer NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	CONSTRAINT "drawer_movements_clinic_id_op_id_pk" PRIMARY KEY("clinic_id","op_id")
);
--> statement-breakpoint
CREATE TABLE "drawers" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"opened_by" integer NOT NULL,
	"device_id" integer NOT NULL,
	"currency" text NOT NULL,
	"float_minor" bigint NOT NULL,
	"closed_at" timestamp with time zone,
	"closed_by" integer,
	"counted" jsonb,
	"notes" text DEFAULT '' NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "drawers_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "expenses" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "expenses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"title" text NOT NULL,
	"description" text NOT NULL,
	"search_key" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"category" text NOT NULL,
	"expense_date" date NOT NULL,
	"receipt_url" text,
	"notes" text DEFAULT '' NOT NULL,
	"drawer_id" uuid,
	"status" text DEFAULT 'pending' NOT NULL,
	"submitted_by" integer NOT NULL,
	"decided_by" integer,
	"decided_at" timestamp with time zone,
	"decision_notes" text DEFAULT '' NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "expenses_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "fiscal_answers" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "fiscal_answers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"record_id" bigint NOT NULL,
	"origin" text NOT NULL,
	"state" text NOT NULL,
	"code" integer,
	"csv" text,
	"presented_at" timestamp with time zone,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "fiscal_answers_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "fiscal_certificates" (
	"clinic_id" integer PRIMARY KEY NOT NULL,
	"sealed" "bytea" NOT NULL,
	"holder" text NOT NULL,
	"tax_id" text,
	"expires_at" timestamp with time zone NOT NULL,
	"uploaded_at" timestamp with time zone NOT NULL,
	"called_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "fiscal_inquiries" (
	"tax_id" text NOT NULL,
	"month" text NOT NULL,
	"after_number" text,
	"after_issued_on" text,
	"next_at" timestamp with time zone NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"doubts_since" timestamp with time zone,
	CONSTRAINT "fiscal_inquiries_tax_id_month_pk" PRIMARY KEY("tax_id","month")
);
--> statement-breakpoint
CREATE TABLE "fiscal_lost_documents" (
	"clinic_id" integer NOT NULL,
	"number" text NOT NULL,
	"issued_on" text NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	CONSTRAINT "fiscal_lost_documents_clinic_id_number_pk" PRIMARY KEY("clinic_id","number")
);
--> statement-breakpoint
CREATE TABLE "fiscal_records" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "fiscal_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain" text NOT NULL,
	"device_id" integer NOT NULL,
	"sequence" integer NOT NULL,
	"type" text NOT NULL,
	"number" text NOT NULL,
	"document_op_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"seal" text NOT NULL,
	"record" json NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "fiscal_records_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "fiscal_senders" (
	"tax_id" text PRIMARY KEY NOT NULL,
	"next_call_at" timestamp with time zone NOT NULL,
	"wait_seconds" integer NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"most_records" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fiscal_sendings" (
	"clinic_id" integer NOT NULL,
	"record_id" bigint NOT NULL,
	"tax_id" text NOT NULL,
	"state" text NOT NULL,
	"held_for" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"code" integer,
	"message" text,
	"replied_at" timestamp with time zone,
	CONSTRAINT "fiscal_sendings_clinic_id_record_id_pk" PRIMARY KEY("clinic_id","record_id")
);
--> statement-breakpoint
CREATE TABLE "guesses" (
	"who" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "letters" (
	"clinic_id" integer NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	"status" text DEFAULT 'due' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "letters_clinic_id_kind_day_pk" PRIMARY KEY("clinic_id","kind","day")
);
--> statement-breakpoint
CREATE TABLE "system_events" (
	"clinic_id" integer NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_at" timestamp with time zone,
	CONSTRAINT "system_events_clinic_id_kind_reference_pk" PRIMARY KEY("clinic_id","kind","reference")
);
--> statement-breakpoint
CREATE TABLE "collective_invoices" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"number" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"document" jsonb NOT NULL,
	CONSTRAINT "collective_invoices_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"op_id" uuid NOT NULL,
	"number" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"document" jsonb NOT NULL,
	CONSTRAINT "invoices_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "order_cancels" (
	"clinic_id" integer NOT NULL,
	"op_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"actor_id" integer NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"credit_note_number" text,
	"credit_note" jsonb,
	"device_id" integer,
	"annulled" boolean DEFAULT false NOT NULL,
	CONSTRAINT "order_cancels_clinic_id_op_id_pk" PRIMARY KEY("clinic_id","op_id")
);
--> statement-breakpoint
CREATE TABLE "order_changes" (
	"clinic_id" integer NOT NULL,
	"op_id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"removed_ids" jsonb NOT NULL,
	"fields" jsonb NOT NULL,
	"actor_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	"device_seq" bigint NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	CONSTRAINT "order_changes_clinic_id_op_id_pk" PRIMARY KEY("clinic_id","op_id")
);
--> statement-breakpoint
CREATE TABLE "order_lines" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"stock_id" integer,
	"product_id" integer,
	"name" text NOT NULL,
	"quantity_milli" bigint NOT NULL,
	"unit_price_minor" bigint NOT NULL,
	"total_minor" bigint NOT NULL,
	"earned_minor" bigint NOT NULL,
	"tax" text,
	"notes" text DEFAULT '' NOT NULL,
	"op_id" uuid NOT NULL,
	"replaces" uuid,
	"removed" boolean DEFAULT false NOT NULL,
	"usage_at" timestamp with time zone,
	"preparation" text DEFAULT 'pending' NOT NULL,
	"preparation_at" timestamp with time zone,
	CONSTRAINT "order_lines_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"number" text NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"customer_name" text DEFAULT '' NOT NULL,
	"patient_id" uuid,
	"room_id" integer,
	"room_number" text DEFAULT '' NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"added_notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"currency" text NOT NULL,
	"op_id" uuid,
	"discount_minor" bigint DEFAULT 0 NOT NULL,
	"agreed_discount_minor" bigint DEFAULT 0 NOT NULL,
	"discount_reason" text DEFAULT '' NOT NULL,
	"charge_minor" bigint DEFAULT 0 NOT NULL,
	"subtotal_minor" bigint NOT NULL,
	"total_minor" bigint NOT NULL,
	"reduction_minor" bigint DEFAULT 0 NOT NULL,
	"paid_minor" bigint NOT NULL,
	"balance_minor" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"business_day" date NOT NULL,
	"created_by" integer NOT NULL,
	"device_id" integer NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "orders_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"order_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"op_id" uuid NOT NULL,
	"method" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"tendered_minor" bigint NOT NULL,
	"change_minor" bigint NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"credit_note_number" text,
	"credit_note" jsonb,
	"reason" text DEFAULT '' NOT NULL,
	"reduction_minor" bigint DEFAULT 0 NOT NULL,
	"still_owed" boolean DEFAULT false NOT NULL,
	"refunded_lines" jsonb DEFAULT '[]' NOT NULL,
	"allowances" jsonb DEFAULT '[]' NOT NULL,
	"actor_id" integer NOT NULL,
	"device_id" integer NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"business_day" date NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_clinic_id_id_pk" PRIMARY KEY("clinic_id","id"),
	CONSTRAINT "payments_once" UNIQUE("clinic_id","op_id")
);
--> statement-breakpoint
CREATE TABLE "patient_erasures" (
	"clinic_id" integer NOT NULL,
	"patient_id" uuid NOT NULL,
	"erased_at" timestamp with time zone NOT NULL,
	"erased_by" integer,
	"reason" text DEFAULT '' NOT NULL,
	CONSTRAINT "patient_erasures_clinic_id_patient_id_pk" PRIMARY KEY("clinic_id","patient_id")
);
--> statement-breakpoint
CREATE TABLE "patients" (
	"clinic_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"name_at" timestamp with time zone NOT NULL,
	"name_device_id" integer DEFAULT 0 NOT NULL,
	"name_device_seq" bigint DEFAULT 0 NOT NULL,
	"search_key" text NOT NULL,
	"phone" text DEFAULT '' NOT NULL,
	"phone_at" timestamp with time zone NOT NULL,
	"phone_device_id" integer DEFAULT 0 NOT NULL,
	"phone_device_seq" bigint DEFAULT 0 NOT NULL,
	"phone_key" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"email_at" timestamp with time zone DEFAULT to_timestamp(0) NOT NULL,
	"email_device_id" integer DEFAULT 0 NOT NULL,
	"email_device_seq" bigint DEFAULT 0 NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"notes_at" timestamp with time zone DEFAULT to_timestamp(0) NOT NULL,
	"notes_device_id" integer DEFAULT 0 NOT NULL,
	"notes_device_seq" bigint DEFAULT 0 NOT NULL,
	"recipient" jsonb,
	"recipient_at" timestamp with time zone DEFAULT to_timestamp(0) NOT NULL,
	"recipient_device_id" integer DEFAULT 0 NOT NULL,
	"recipient_device_seq" bigint DEFAULT 0 NOT NULL,
	"details_key" text DEFAULT '' NOT NULL,
	"erased_at" timestamp with time zone,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "patients_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "retention_notices" (
	"clinic_id" integer NOT NULL,
	"patient_id" uuid NOT NULL,
	"said_at" timestamp with time zone NOT NULL,
	CONSTRAINT "retention_notices_clinic_id_patient_id_pk" PRIMARY KEY("clinic_id","patient_id")
);
--> statement-breakpoint
CREATE TABLE "day_figures" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"figures" jsonb NOT NULL,
	CONSTRAINT "day_figures_clinic_id_day_pk" PRIMARY KEY("clinic_id","day")
);
--> statement-breakpoint
CREATE TABLE "day_items" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"currency" text NOT NULL,
	"items" integer[] NOT NULL,
	"orders" integer NOT NULL,
	"total_minor" double precision NOT NULL,
	"paid_minor" double precision NOT NULL,
	"refunded_minor" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "day_orders" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"currency" text NOT NULL,
	"orders" integer NOT NULL,
	"total_minor" numeric NOT NULL,
	"paid_minor" numeric NOT NULL,
	"refunded_minor" numeric NOT NULL,
	CONSTRAINT "day_orders_clinic_id_day_type_status_currency_pk" PRIMARY KEY("clinic_id","day","type","status","currency")
);
--> statement-breakpoint
CREATE TABLE "month_amounts" (
	"clinic_id" integer NOT NULL,
	"month" date NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"currency" text NOT NULL,
	"amount_minor" bigint NOT NULL,
	"orders" integer NOT NULL,
	"total_minor" double precision NOT NULL,
	"paid_minor" double precision NOT NULL,
	"refunded_minor" double precision NOT NULL,
	CONSTRAINT "month_amounts_pk" PRIMARY KEY("clinic_id","month","type","status","currency","amount_minor")
);
--> statement-breakpoint
CREATE TABLE "month_items" (
	"clinic_id" integer NOT NULL,
	"month" date NOT NULL,
	"type" text NOT NULL,
	"status" text NOT NULL,
	"currency" text NOT NULL,
	"items" integer[] NOT NULL,
	"orders" integer NOT NULL,
	"total_minor" double precision NOT NULL,
	"paid_minor" double precision NOT NULL,
	"refunded_minor" double precision NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stale_days" (
	"clinic_id" integer NOT NULL,
	"day" date NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	CONSTRAINT "stale_days_clinic_id_day_id_pk" PRIMARY KEY("clinic_id","day","id")
);
--> statement-breakpoint
CREATE TABLE "stored_months" (
	"clinic_id" integer NOT NULL,
	"month" date NOT NULL,
	CONSTRAINT "stored_months_clinic_id_month_pk" PRIMARY KEY("clinic_id","month")
);
--> statement-breakpoint
CREATE TABLE "rooms" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "rooms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"number" text NOT NULL,
	"capacity" integer NOT NULL,
	"location" text DEFAULT '' NOT NULL,
	"is_occupied" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "rooms_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "purchase_order_items" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "purchase_order_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"purchase_order_id" integer NOT NULL,
	"position" integer NOT NULL,
	"stock_id" integer NOT NULL,
	"name" text NOT NULL,
	"unit" text NOT NULL,
	"quantity_milli" bigint NOT NULL,
	"received_milli" bigint DEFAULT 0 NOT NULL,
	"unit_cost_minor" bigint NOT NULL,
	CONSTRAINT "purchase_order_items_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "purchase_orders" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "purchase_orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"number" text NOT NULL,
	"vendor" text NOT NULL,
	"vendor_contact" text DEFAULT '' NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"delivery_notes" text[] DEFAULT '{}' NOT NULL,
	"created_by" integer NOT NULL,
	"sent_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "purchase_orders_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "stock_alerts" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "stock_alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"stock_id" integer NOT NULL,
	"lot_id" integer,
	"type" text NOT NULL,
	"severity" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"quantity_milli" bigint NOT NULL,
	"threshold_milli" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"acknowledged_at" timestamp with time zone,
	"acknowledged_by" integer,
	"resolved_at" timestamp with time zone,
	"resolved_by" integer,
	"ended_at" timestamp with time zone,
	CONSTRAINT "stock_alerts_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "stock_lot_movements" (
	"clinic_id" integer NOT NULL,
	"lot_id" integer NOT NULL,
	"transaction_id" bigint NOT NULL,
	"change_milli" bigint NOT NULL,
	"order_id" uuid,
	"line_id" uuid,
	CONSTRAINT "stock_lot_movements_clinic_id_lot_id_transaction_id_pk" PRIMARY KEY("clinic_id","lot_id","transaction_id")
);
--> statement-breakpoint
CREATE TABLE "stock_lots" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "stock_lots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stock_id" integer NOT NULL,
	"lot_number" text NOT NULL,
	"expires_on" date,
	"received_milli" bigint NOT NULL,
	"remaining_milli" bigint NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stock_lots_clinic_id_id_pk" PRIMARY KEY("clinic_id","id"),
	CONSTRAINT "stock_lots_once" UNIQUE NULLS NOT DISTINCT("clinic_id","stock_id","lot_number","expires_on"),
	CONSTRAINT "stock_lots_remaining" CHECK (remaining_milli between 0 and received_milli)
);
--> statement-breakpoint
CREATE TABLE "attention_items" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "attention_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"op_id" uuid,
	"op_kind" text,
	"order_id" uuid,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp with time zone,
	"settled_by" integer,
	"settled_reason" text,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "attention_items_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "receipt_mentions" (
	"clinic_id" integer NOT NULL,
	"mentioned" uuid NOT NULL,
	"op_id" uuid NOT NULL,
	CONSTRAINT "receipt_mentions_clinic_id_mentioned_op_id_pk" PRIMARY KEY("clinic_id","mentioned","op_id")
);
--> statement-breakpoint
CREATE TABLE "sync_ops" (
	"clinic_id" integer NOT NULL,
	"op_id" uuid NOT NULL,
	"device_id" integer,
	"device_seq" bigint,
	"aggregate" text NOT NULL,
	"kind" text NOT NULL,
	"v" integer NOT NULL,
	"actor_id" integer NOT NULL,
	"uploaded_by" integer NOT NULL,
	"actor_name" text,
	"uploader_name" text,
	"approved_by" integer,
	"approver_name" text,
	"fingerprint" text NOT NULL,
	"payload" json NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"clock_offset_ms" bigint,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"status" text NOT NULL,
	"reply" text NOT NULL,
	"http_status" integer NOT NULL,
	"supersedes" uuid,
	"superseded_by" uuid,
	"replaced" integer DEFAULT 0 NOT NULL,
	"rewritten" boolean DEFAULT false NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "sync_ops_clinic_id_op_id_pk" PRIMARY KEY("clinic_id","op_id")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"clinic_id" integer NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"purpose" text NOT NULL,
	"media_type" text NOT NULL,
	"content" "bytea" NOT NULL,
	"size" integer NOT NULL,
	"uploaded_by" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "uploads_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_clinic_id_user_id_users_clinic_id_id_fk" FOREIGN KEY ("clinic_id","user_id") REFERENCES "public"."users"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_clinic_id_user_id_users_clinic_id_id_fk" FOREIGN KEY ("clinic_id","user_id") REFERENCES "public"."users"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_clinic_id_device_id_devices_clinic_id_id_fk" FOREIGN KEY ("clinic_id","device_id") REFERENCES "public"."devices"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_ingredients" ADD CONSTRAINT "product_ingredients_product" FOREIGN KEY ("clinic_id","product_id") REFERENCES "public"."products"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product_ingredients" ADD CONSTRAINT "product_ingredients_stock" FOREIGN KEY ("clinic_id","stock_id") REFERENCES "public"."stock_items"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "products" ADD CONSTRAINT "products_clinic_id_category_id_categories_clinic_id_id_fk" FOREIGN KEY ("clinic_id","category_id") REFERENCES "public"."categories"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_items" ADD CONSTRAINT "stock_items_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_items" ADD CONSTRAINT "stock_items_clinic_id_category_id_categories_clinic_id_id_fk" FOREIGN KEY ("clinic_id","category_id") REFERENCES "public"."categories"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device_codes" ADD CONSTRAINT "device_codes_clinic_id_device_id_devices_clinic_id_id_fk" FOREIGN KEY ("clinic_id","device_id") REFERENCES "public"."devices"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "devices" ADD CONSTRAINT "devices_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drawer_movements" ADD CONSTRAINT "drawer_movements_clinic_id_drawer_id_drawers_clinic_id_id_fk" FOREIGN KEY ("clinic_id","drawer_id") REFERENCES "public"."drawers"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drawers" ADD CONSTRAINT "drawers_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "expenses" ADD CONSTRAINT "expenses_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_answers" ADD CONSTRAINT "fiscal_answers_clinic_id_record_id_fiscal_records_clinic_id_id_fk" FOREIGN KEY ("clinic_id","record_id") REFERENCES "public"."fiscal_records"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_certificates" ADD CONSTRAINT "fiscal_certificates_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_lost_documents" ADD CONSTRAINT "fiscal_lost_documents_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_records" ADD CONSTRAINT "fiscal_records_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fiscal_sendings" ADD CONSTRAINT "fiscal_sendings_clinic_id_record_id_fiscal_records_clinic_id_id_fk" FOREIGN KEY ("clinic_id","record_id") REFERENCES "public"."fiscal_records"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "letters" ADD CONSTRAINT "letters_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "system_events" ADD CONSTRAINT "system_events_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_cancels" ADD CONSTRAINT "order_cancels_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_changes" ADD CONSTRAINT "order_changes_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "patient_erasures" ADD CONSTRAINT "patient_erasures_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "patients" ADD CONSTRAINT "patients_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "retention_notices" ADD CONSTRAINT "retention_notices_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_order_items" ADD CONSTRAINT "purchase_order_items_order" FOREIGN KEY ("clinic_id","purchase_order_id") REFERENCES "public"."purchase_orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_order_items" ADD CONSTRAINT "purchase_order_items_stock" FOREIGN KEY ("clinic_id","stock_id") REFERENCES "public"."stock_items"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_orders" ADD CONSTRAINT "purchase_orders_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_alerts" ADD CONSTRAINT "stock_alerts_clinic_id_stock_id_stock_items_clinic_id_id_fk" FOREIGN KEY ("clinic_id","stock_id") REFERENCES "public"."stock_items"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_lot_movements" ADD CONSTRAINT "stock_lot_movements_clinic_id_lot_id_stock_lots_clinic_id_id_fk" FOREIGN KEY ("clinic_id","lot_id") REFERENCES "public"."stock_lots"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stock_lots" ADD CONSTRAINT "stock_lots_clinic_id_stock_id_stock_items_clinic_id_id_fk" FOREIGN KEY ("clinic_id","stock_id") REFERENCES "public"."stock_items"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_clinic_id_at_index" ON "audit_log" USING btree ("clinic_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_clinic_id_credential_id_index" ON "passkeys" USING btree ("clinic_id","credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_clinic_id_user_id_index" ON "passkeys" USING btree ("clinic_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_clinic_id_id_index" ON "sessions" USING btree ("clinic_id","id");--> statement-breakpoint
CREATE INDEX "sessions_clinic_id_expires_at_index" ON "sessions" USING btree ("clinic_id","expires_at");--> statement-breakpoint
CREATE INDEX "sessions_clinic_id_user_id_index" ON "sessions" USING btree ("clinic_id","user_id");--> statement-breakpoint
CREATE INDEX "sessions_clinic_id_device_id_user_id_index" ON "sessions" USING btree ("clinic_id","device_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_clinic_id_email_index" ON "users" USING btree ("clinic_id","email") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "categories_clinic_id_xid_id_index" ON "categories" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "former_prices_clinic_id_stock_id_until_index" ON "former_prices" USING btree ("clinic_id","stock_id","until") WHERE stock_id is not null;--> statement-breakpoint
CREATE INDEX "former_prices_clinic_id_product_id_until_index" ON "former_prices" USING btree ("clinic_id","product_id","until") WHERE product_id is not null;--> statement-breakpoint
CREATE INDEX "products_clinic_id_xid_id_index" ON "products" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "stock_items_clinic_id_xid_id_index" ON "stock_items" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "stock_items_clinic_id_search_key_id_index" ON "stock_items" USING btree ("clinic_id","search_key","id");--> statement-breakpoint
CREATE INDEX "stock_note_words_latest" ON "stock_note_words" USING btree ("clinic_id","word" text_pattern_ops,"effective_at","transaction_id","type");--> statement-breakpoint
CREATE INDEX "stock_transactions_of_item" ON "stock_transactions" USING btree ("clinic_id","stock_id","effective_at","id","type");--> statement-breakpoint
CREATE INDEX "stock_transactions_latest" ON "stock_transactions" USING btree ("clinic_id","effective_at","id");--> statement-breakpoint
CREATE INDEX "stock_transactions_of_type" ON "stock_transactions" USING btree ("clinic_id","type","effective_at","id","effect_milli","cost_minor");--> statement-breakpoint
CREATE INDEX "stock_transactions_of_number" ON "stock_transactions" USING btree ("clinic_id","notes" text_pattern_ops) WHERE type = 'usage';--> statement-breakpoint
CREATE INDEX "device_codes_clinic_id_device_id_index" ON "device_codes" USING btree ("clinic_id","device_id");--> statement-breakpoint
CREATE INDEX "drawer_movements_clinic_id_drawer_id_index" ON "drawer_movements" USING btree ("clinic_id","drawer_id");--> statement-breakpoint
CREATE INDEX "drawers_clinic_id_xid_id_index" ON "drawers" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "drawers_clinic_id_opened_at_index" ON "drawers" USING btree ("clinic_id","opened_at");--> statement-breakpoint
CREATE INDEX "drawers_clinic_id_closed_at_index" ON "drawers" USING btree ("clinic_id","closed_at");--> statement-breakpoint
CREATE INDEX "expenses_clinic_id_expense_date_id_status_category_index" ON "expenses" USING btree ("clinic_id","expense_date","id","status","category") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "fiscal_answers_clinic_id_record_id_index" ON "fiscal_answers" USING btree ("clinic_id","record_id");--> statement-breakpoint
CREATE INDEX "fiscal_records_clinic_id_chain_device_id_sequence_index" ON "fiscal_records" USING btree ("clinic_id","chain","device_id","sequence");--> statement-breakpoint
CREATE INDEX "fiscal_records_clinic_id_document_op_id_index" ON "fiscal_records" USING btree ("clinic_id","document_op_id");--> statement-breakpoint
CREATE INDEX "fiscal_records_clinic_id_received_at_index" ON "fiscal_records" USING brin ("clinic_id","received_at");--> statement-breakpoint
CREATE INDEX "fiscal_records_clinic_id_number_index" ON "fiscal_records" USING btree ("clinic_id","number" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "fiscal_sendings_unsent" ON "fiscal_sendings" USING btree ("clinic_id","tax_id","record_id") WHERE state = 'unsent';--> statement-breakpoint
CREATE INDEX "fiscal_sendings_held" ON "fiscal_sendings" USING btree ("clinic_id","record_id") WHERE held_for is not null;--> statement-breakpoint
CREATE INDEX "fiscal_sendings_duplicate" ON "fiscal_sendings" USING btree ("tax_id") WHERE state = 'rejected' and code in (3000, 3001);--> statement-breakpoint
CREATE INDEX "guesses_last_at_index" ON "guesses" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "collective_invoices_clinic_id_number_index" ON "collective_invoices" USING btree ("clinic_id","number" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "collective_invoices_clinic_id_issued_at_index" ON "collective_invoices" USING btree ("clinic_id","issued_at");--> statement-breakpoint
CREATE INDEX "invoices_clinic_id_number_index" ON "invoices" USING btree ("clinic_id","number" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "invoices_clinic_id_order_id_index" ON "invoices" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "invoices_without_payment" ON "invoices" USING btree ("clinic_id","issued_at") WHERE document ? 'device_id';--> statement-breakpoint
CREATE INDEX "order_cancels_clinic_id_order_id_index" ON "order_cancels" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "order_cancels_corrections" ON "order_cancels" USING btree ("clinic_id","effective_at") WHERE credit_note is not null;--> statement-breakpoint
CREATE INDEX "order_cancels_clinic_id_credit_note_number_index" ON "order_cancels" USING btree ("clinic_id","credit_note_number") WHERE credit_note_number is not null;--> statement-breakpoint
CREATE INDEX "order_changes_clinic_id_order_id_index" ON "order_changes" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "order_lines_clinic_id_order_id_index" ON "order_lines" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "order_lines_clinic_id_stock_id_order_id_index" ON "order_lines" USING btree ("clinic_id","stock_id","order_id") WHERE stock_id is not null;--> statement-breakpoint
CREATE INDEX "order_lines_clinic_id_product_id_order_id_index" ON "order_lines" USING btree ("clinic_id","product_id","order_id") WHERE product_id is not null;--> statement-breakpoint
CREATE INDEX "orders_clinic_id_xid_id_index" ON "orders" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_number_index" ON "orders" USING btree ("clinic_id","number" text_pattern_ops);--> statement-breakpoint
CREATE INDEX "orders_clinic_id_status_created_at_index" ON "orders" USING btree ("clinic_id","status","created_at");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_created_at_index" ON "orders" USING btree ("clinic_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_reported" ON "orders" USING btree ("clinic_id","business_day","created_at","id","type","status","total_minor","paid_minor","currency");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_patient_id_created_at_index" ON "orders" USING btree ("clinic_id","patient_id","created_at") WHERE patient_id is not null;--> statement-breakpoint
CREATE INDEX "orders_clinic_id_room_id_index" ON "orders" USING btree ("clinic_id","room_id") WHERE room_id is not null and status = 'confirmed';--> statement-breakpoint
CREATE INDEX "payments_clinic_id_order_id_index" ON "payments" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "payments_clinic_id_business_day_index" ON "payments" USING btree ("clinic_id","business_day");--> statement-breakpoint
CREATE INDEX "payments_clinic_id_effective_at_index" ON "payments" USING btree ("clinic_id","effective_at");--> statement-breakpoint
CREATE INDEX "payments_refunds" ON "payments" USING btree ("clinic_id","order_id","amount_minor") WHERE amount_minor < 0;--> statement-breakpoint
CREATE INDEX "payments_clinic_id_credit_note_number_index" ON "payments" USING btree ("clinic_id","credit_note_number") WHERE credit_note_number is not null;--> statement-breakpoint
CREATE INDEX "patients_clinic_id_xid_id_index" ON "patients" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "patients_clinic_id_search_key_id_index" ON "patients" USING btree ("clinic_id","search_key","id");--> statement-breakpoint
CREATE INDEX "day_items_clinic_id_day_index" ON "day_items" USING btree ("clinic_id","day");--> statement-breakpoint
CREATE INDEX "month_items_clinic_id_month_index" ON "month_items" USING btree ("clinic_id","month");--> statement-breakpoint
CREATE INDEX "rooms_clinic_id_xid_id_index" ON "rooms" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE UNIQUE INDEX "rooms_clinic_id_number_index" ON "rooms" USING btree ("clinic_id","number") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "purchase_order_items_clinic_id_purchase_order_id_index" ON "purchase_order_items" USING btree ("clinic_id","purchase_order_id");--> statement-breakpoint
CREATE INDEX "purchase_order_items_clinic_id_stock_id_index" ON "purchase_order_items" USING btree ("clinic_id","stock_id");--> statement-breakpoint
CREATE UNIQUE INDEX "purchase_orders_clinic_id_number_index" ON "purchase_orders" USING btree ("clinic_id","number");--> statement-breakpoint
CREATE INDEX "purchase_orders_clinic_id_status_created_at_index" ON "purchase_orders" USING btree ("clinic_id","status","created_at");--> statement-breakpoint
CREATE INDEX "purchase_orders_clinic_id_created_at_index" ON "purchase_orders" USING btree ("clinic_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "stock_alerts_standing" ON "stock_alerts" USING btree ("clinic_id","stock_id",coalesce(lot_id, 0)) WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "stock_alerts_clinic_id_resolved_at_id_index" ON "stock_alerts" USING btree ("clinic_id","resolved_at","id");--> statement-breakpoint
CREATE INDEX "stock_lot_movements_clinic_id_transaction_id_index" ON "stock_lot_movements" USING btree ("clinic_id","transaction_id");--> statement-breakpoint
CREATE INDEX "stock_lots_number" ON "stock_lots" USING btree ("clinic_id",lower(lot_number) text_pattern_ops);--> statement-breakpoint
CREATE INDEX "stock_lots_clinic_id_stock_id_expires_on_index" ON "stock_lots" USING btree ("clinic_id","stock_id","expires_on") WHERE remaining_milli > 0;--> statement-breakpoint
CREATE INDEX "stock_lots_clinic_id_expires_on_index" ON "stock_lots" USING btree ("clinic_id","expires_on") WHERE remaining_milli > 0;--> statement-breakpoint
CREATE INDEX "attention_items_clinic_id_xid_id_index" ON "attention_items" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "attention_items_clinic_id_order_id_index" ON "attention_items" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "attention_items_clinic_id_op_id_index" ON "attention_items" USING btree ("clinic_id","op_id") WHERE op_id is not null;--> statement-breakpoint
CREATE INDEX "attention_items_open" ON "attention_items" USING btree ("clinic_id","kind",(details ->> 'device')) WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "sync_ops_clinic_id_device_id_xid_op_id_index" ON "sync_ops" USING btree ("clinic_id","device_id","xid","op_id");--> statement-breakpoint
CREATE INDEX "sync_ops_clinic_id_aggregate_index" ON "sync_ops" USING btree ("clinic_id","aggregate");--> statement-breakpoint
CREATE INDEX "sync_ops_deeds_idx" ON "sync_ops" USING btree ("clinic_id","effective_at","op_id") WHERE status = 'applied' and kind in ('order.add_services', 'order.cancel', 'order.change', 'order.create', 'order.invoice', 'order.pay', 'order.refund', 'stock.adjust');--> statement-breakpoint
CREATE INDEX "uploads_clinic_id_created_at_index" ON "uploads" USING btree ("clinic_id","created_at");