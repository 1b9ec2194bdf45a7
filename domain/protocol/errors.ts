/**
 * The closed set of error codes on the wire, each with the HTTP status of the REST reply. Screens translate the code; other
 * clients read the English `message`.
 */
export const errorCatalogue = {
  VALIDATION: { status: 400, message: 'The request is not valid.' },
  MALFORMED_JSON: { status: 400, message: 'The request body is not valid JSON.' },
  CREDENTIALS_REQUIRED: { status: 400, message: 'Email and password are required' },
  CREDENTIALS_INVALID: { status: 401, message: 'Invalid credentials. Please check your email and password.' },
  SESSION_EXPIRED: { status: 401, message: 'Your session has expired. Please log in again to continue.' },
  FORBIDDEN: { status: 403, message: "You don't have permission to perform this action." },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  REQUEST_TOO_SLOW: { status: 408, message: 'The request took too long to arrive.' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The request must be JSON.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of the request are too large.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many attempts. Please wait a moment and try again.' },
  SIGN_IN_BUSY: {
    status: 503,
    message: 'Many people are signing in at the moment. Please try again in a few seconds.',
  },
  DEVICE_LIMIT: {
    status: 429,
    message: 'Too many new devices were added within an hour. Try again later, or ask an administrator.',
  },
  INTERNAL: { status: 500, message: 'An unexpected error occurred' },
  UNAVAILABLE: { status: 503, message: 'The service is not available at the moment.' },

  IDEMPOTENCY_MISMATCH: { status: 422, message: 'This idempotency key was already used for another request.' },
  ID_TAKEN: { status: 409, message: 'Something else already has this id.' },
  UNKNOWN_VERSION: { status: 422, message: 'This operation was made by a newer version of the app.' },
  CURSOR_GONE: { status: 410, message: 'The cursor is no longer valid. Read the feed without a cursor.' },
  ACTOR_UNKNOWN: { status: 403, message: 'The person who did this has never signed in on that device.' },
  DEVICE_UNKNOWN: { status: 403, message: 'This device is not enrolled.' },
  DEPENDENCY_PENDING: { status: 409, message: 'An earlier operation has not arrived yet.' },
  SUPERSEDES_APPLIED: { status: 409, message: 'The operation to be replaced was already applied.' },
  DEPENDENCY_VOIDED: { status: 409, message: 'An operation that this one depends on was voided.' },
  REPLACED_TOO_OFTEN: {
    status: 409,
    message: 'This operation was replaced too often. Void it and enter the work again.',
  },
  SUPERSEDED: { status: 409, message: 'This operation was replaced by another.' },
  TRY_AGAIN: { status: 503, message: 'The operation could not be processed yet.' },

  ORDER_EMPTY: { status: 400, message: 'Please add services to the treatment plan before creating.' },
  ORDER_NOT_FOUND: { status: 404, message: 'This treatment does not exist.' },
  ORDER_EXISTS: { status: 409, message: 'A treatment with this id already exists.' },
  ORDER_CANCELLED: { status: 409, message: 'This treatment has been cancelled.' },
  ORDER_PAID: { status: 409, message: 'This treatment has already been paid.' },
  ORDER_HAS_PAYMENTS: {
    status: 409,
    message: 'This treatment has payments and cannot be cancelled. Refund them first.',
  },
  STATUS_NOT_SETTABLE: { status: 409, message: 'This status follows from the payments and cannot be set.' },
  ITEM_UNKNOWN: { status: 400, message: 'This service does not exist.' },
  ITEM_UNAVAILABLE: { status: 409, message: 'This service is not available.' },
  QUANTITY_INVALID: { status: 400, message: 'Quantity must be at least 1' },
  AMOUNT_INVALID: { status: 400, message: 'The amount must be greater than 0.' },
  AMOUNT_EXCEEDS_BALANCE: { status: 409, message: 'The amount is more than what is still due.' },
  REFUND_EXCEEDS_PAYMENTS: { status: 409, message: 'The refund is more than what was paid.' },
  REASON_REQUIRED: { status: 400, message: 'Please give a reason of at least 3 characters.' },
  DISCOUNT_OVER_LIMIT: { status: 409, message: 'A discount above the limit of the clinic needs a manager.' },
  ATTENTION_IS_REFUSAL: { status: 409, message: 'A refused operation is settled by resending or voiding it.' },
  DRAWER_NOT_FOUND: { status: 404, message: 'This drawer does not exist.' },
  DRAWER_EXISTS: { status: 409, message: 'A drawer with this id already exists.' },
  DRAWER_OPEN: { status: 409, message: 'A drawer is already open on this device. Close it first.' },
  DRAWER_NOT_OPEN: { status: 409, message: 'No drawer is open.' },
  DRAWER_CLOSED: { status: 409, message: 'This drawer has already been closed.' },
  PREPARATION_ITEM_NOT_FOUND: { status: 404, message: 'This item is not part of the treatment.' },
  PREPARATION_STEP: { status: 409, message: 'An item moves one step at a time, forward or back.' },
  STAFF_SELF: { status: 409, message: 'You cannot remove or deactivate yourself.' },
  LAST_ADMIN: { status: 409, message: 'The last administrator cannot be removed, demoted or deactivated.' },
  STOCK_NOT_FOUND: { status: 404, message: 'This stock item does not exist.' },
  STOCK_IN_USE: { status: 409, message: 'This item is an ingredient of a product. Remove it there first.' },
  HELD_TOO_LITTLE: { status: 409, message: "You can't release more than is reserved." },
  CATEGORY_EXISTS: { status: 409, message: 'A category with this name already exists.' },
  CSV_UNREADABLE: { status: 400, message: 'This file cannot be read as a table.' },
  CSV_COLUMN_UNKNOWN: { status: 400, message: 'The table has an unknown column.' },
  CSV_COLUMN_MISSING: { status: 400, message: 'The table lacks a required column.' },
  CSV_TOO_LONG: { status: 413, message: 'This table has too many rows.' },
  IMPORT_HAS_ERRORS: { status: 409, message: 'Some rows are not valid. Nothing was imported.' },

  PURCHASE_ORDER_NOT_FOUND: { status: 404, message: 'This purchase order does not exist.' },
  PURCHASE_ORDER_NOT_DRAFT: { status: 409, message: 'Only a draft can be changed or sent.' },
  PURCHASE_ORDER_CLOSED: { status: 409, message: 'This purchase order is closed.' },
  PURCHASE_ITEM_NOT_FOUND: { status: 404, message: 'This line is not part of the purchase order.' },
  DELIVERY_EXCEEDS_ORDER: {
    status: 409,
    message: 'This is far more than was ordered. Check the quantity, or add the surplus as an adjustment.',
  },
  LOT_REQUIRED: { status: 400, message: 'This item is tracked by lot: enter the lot number and the expiry date.' },
  LOT_EXPIRED: { status: 409, message: 'This lot has expired and cannot be received.' },
  FILE_MISSING: { status: 400, message: 'Choose a file to upload.' },
  FILE_TOO_LARGE: { status: 413, message: 'The file is larger than 10 MB.' },
  FILE_TYPE_REFUSED: { status: 415, message: 'This kind of file is not accepted.' },
  IMAGE_BROKEN: { status: 422, message: 'This picture is damaged or too large to be read.' },
  ALERT_NOT_FOUND: { status: 404, message: 'This alert does not exist.' },
  ALERT_RESOLVED: { status: 409, message: 'This alert has already been resolved.' },
  LOT_NOT_FOUND: { status: 404, message: 'This lot does not exist.' },

  MAIL_NOT_SET_UP: {
    status: 409,
    message: 'Sending mail is not set up on this server, or there is no notification email.',
  },
  MAIL_FAILED: { status: 502, message: 'The mail server refused the message.' },
  EXPORT_BUSY: { status: 429, message: 'An export is already running. Wait until it has finished.' },
  EXPORT_TOO_LONG: {
    status: 422,
    message: 'A PDF holds at most 5,000 treatments. Narrow the filters, or export to Excel.',
  },

  EXPENSE_NOT_FOUND: { status: 404, message: 'This expense does not exist.' },
  EXPENSE_DECIDED: { status: 409, message: 'This expense has already been approved or rejected.' },

  PATIENT_NOT_FOUND: { status: 404, message: 'This patient does not exist.' },
  PATIENT_EXISTS: { status: 409, message: 'A patient with this id already exists.' },
  ROOM_NOT_FOUND: { status: 404, message: 'This room does not exist.' },
  ROOM_EXISTS: { status: 409, message: 'A room with this number already exists.' },
  ROOM_OCCUPIED: { status: 409, message: 'Table is currently occupied. Please clear the table first.' },
  ROOM_IN_USE: {
    status: 409,
    message: 'A treatment is under way in this room. It becomes free when the treatment is paid or cancelled.',
  },

  // Refusals of a device; the server never sends them.
  DEVICE_NOT_ENROLLED: { status: 409, message: 'Sign in online once before using this device.' },
  STORAGE_FULL: { status: 507, message: 'The storage of this device is full. Nothing was saved.' },
  STORAGE_LOST: { status: 503, message: 'The storage of this device does not answer. Nothing was saved.' },
  OPERATION_NOT_REFUSED: { status: 409, message: 'Only a refused operation can be sent again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;
/** A code that a decision can refuse with. */
export type RefusalCode = ErrorCode;
