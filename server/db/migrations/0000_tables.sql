CREATE TABLE "audit_log" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"user_id" integer,
	"device_id" integer,
	"action" text NOT NULL,
	"subject" text DEFAULT '' NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	CONSTRAINT "audit_log_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"clinic_id" integer NOT NULL,
	"jti" uuid NOT NULL,
	"user_id" integer NOT NULL,
	"device_id" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
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
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "categories_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
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
	"description" text DEFAULT '' NOT NULL,
	"price_minor" bigint NOT NULL,
	"category_id" integer,
	"image_url" text,
	"barcode" text,
	"is_available" boolean DEFAULT true NOT NULL,
	"deleted_at" timestamp with time zone,
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
	"unit" text DEFAULT 'pcs' NOT NULL,
	"category_id" integer,
	"image_url" text,
	"supplier" text DEFAULT '' NOT NULL,
	"supplier_contact" text DEFAULT '' NOT NULL,
	"quantity_milli" bigint DEFAULT 0 NOT NULL,
	"reserved_milli" bigint DEFAULT 0 NOT NULL,
	"low_stock_threshold_milli" bigint DEFAULT 0 NOT NULL,
	"cost_minor" bigint DEFAULT 0 NOT NULL,
	"barcode" text,
	"is_available" boolean DEFAULT true NOT NULL,
	"counted_at" timestamp with time zone,
	"last_restocked_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "stock_items_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "stock_transactions" (
	"clinic_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "stock_transactions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"stock_id" integer NOT NULL,
	"type" text NOT NULL,
	"status" text DEFAULT 'completed' NOT NULL,
	"is_count" boolean DEFAULT false NOT NULL,
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
	"next_device" integer DEFAULT 0 NOT NULL,
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
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
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
	CONSTRAINT "devices_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"token_secret" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "rooms" (
	"clinic_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "rooms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"number" text NOT NULL,
	"capacity" integer NOT NULL,
	"status" text DEFAULT 'available' NOT NULL,
	"location" text DEFAULT '' NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rooms_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"clinic_id" integer PRIMARY KEY NOT NULL,
	"data" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL
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
	CONSTRAINT "order_cancels_clinic_id_op_id_pk" PRIMARY KEY("clinic_id","op_id")
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
	"notes" text DEFAULT '' NOT NULL,
	"op_id" uuid NOT NULL,
	"usage_at" timestamp with time zone,
	"preparation" text DEFAULT 'pending' NOT NULL,
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
	"notes" text DEFAULT '' NOT NULL,
	"currency" text NOT NULL,
	"discount_minor" bigint DEFAULT 0 NOT NULL,
	"charge_minor" bigint DEFAULT 0 NOT NULL,
	"subtotal_minor" bigint NOT NULL,
	"total_minor" bigint NOT NULL,
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
	"reason" text DEFAULT '' NOT NULL,
	"actor_id" integer NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"business_day" date NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_clinic_id_id_pk" PRIMARY KEY("clinic_id","id"),
	CONSTRAINT "payments_once" UNIQUE("clinic_id","op_id")
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
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "attention_items_clinic_id_id_pk" PRIMARY KEY("clinic_id","id")
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
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	CONSTRAINT "sync_ops_clinic_id_op_id_pk" PRIMARY KEY("clinic_id","op_id")
);
--> statement-breakpoint
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
ALTER TABLE "rooms" ADD CONSTRAINT "rooms_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settings" ADD CONSTRAINT "settings_clinic_id_clinics_id_fk" FOREIGN KEY ("clinic_id") REFERENCES "public"."clinics"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_cancels" ADD CONSTRAINT "order_cancels_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_lines" ADD CONSTRAINT "order_lines_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_clinic_id_order_id_orders_clinic_id_id_fk" FOREIGN KEY ("clinic_id","order_id") REFERENCES "public"."orders"("clinic_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_log_clinic_id_at_index" ON "audit_log" USING btree ("clinic_id","at");--> statement-breakpoint
CREATE INDEX "sessions_clinic_id_user_id_index" ON "sessions" USING btree ("clinic_id","user_id");--> statement-breakpoint
CREATE INDEX "sessions_clinic_id_device_id_user_id_index" ON "sessions" USING btree ("clinic_id","device_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_clinic_id_email_index" ON "users" USING btree ("clinic_id","email") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "categories_clinic_id_xid_id_index" ON "categories" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "products_clinic_id_xid_id_index" ON "products" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "stock_items_clinic_id_xid_id_index" ON "stock_items" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "stock_transactions_clinic_id_stock_id_effective_at_index" ON "stock_transactions" USING btree ("clinic_id","stock_id","effective_at");--> statement-breakpoint
CREATE INDEX "device_codes_clinic_id_device_id_index" ON "device_codes" USING btree ("clinic_id","device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "rooms_clinic_id_number_index" ON "rooms" USING btree ("clinic_id","number") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "invoices_clinic_id_number_index" ON "invoices" USING btree ("clinic_id","number");--> statement-breakpoint
CREATE INDEX "invoices_clinic_id_order_id_index" ON "invoices" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "order_cancels_clinic_id_order_id_index" ON "order_cancels" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "order_lines_clinic_id_order_id_index" ON "order_lines" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_xid_id_index" ON "orders" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_number_index" ON "orders" USING btree ("clinic_id","number");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_status_created_at_index" ON "orders" USING btree ("clinic_id","status","created_at");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_created_at_index" ON "orders" USING btree ("clinic_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_clinic_id_business_day_index" ON "orders" USING btree ("clinic_id","business_day");--> statement-breakpoint
CREATE INDEX "payments_clinic_id_order_id_index" ON "payments" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "payments_clinic_id_business_day_index" ON "payments" USING btree ("clinic_id","business_day");--> statement-breakpoint
CREATE INDEX "payments_clinic_id_credit_note_number_index" ON "payments" USING btree ("clinic_id","credit_note_number") WHERE credit_note_number is not null;--> statement-breakpoint
CREATE INDEX "attention_items_clinic_id_xid_id_index" ON "attention_items" USING btree ("clinic_id","xid","id");--> statement-breakpoint
CREATE INDEX "attention_items_clinic_id_order_id_index" ON "attention_items" USING btree ("clinic_id","order_id");--> statement-breakpoint
CREATE INDEX "sync_ops_clinic_id_device_id_xid_op_id_index" ON "sync_ops" USING btree ("clinic_id","device_id","xid","op_id");