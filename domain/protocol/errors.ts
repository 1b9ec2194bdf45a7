/**
 * The closed set of refusals and errors that cross the wire, each with the HTTP status it answers with when a REST call
 * meets it. Screens translate the code; the server's `message` is the English sentence for everyone else.
 */
export const errorCatalogue = {
  VALIDATION: { status: 400, message: 'The request is not valid.' },
  MALFORMED_JSON: { status: 400, message: 'The request body is not valid JSON.' },
  CREDENTIALS_REQUIRED: { status: 400, message: 'Email and password are required' },
  CREDENTIALS_INVALID: { status: 401, message: 'Invalid credentials. Please check your email and password.' },
  SESSION_EXPIRED: { status: 401, message: 'Your session has expired. Please log in again to continue.' },
  FORBIDDEN: { status: 403, message: "You don't have permission to perform this action." },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  BODY_TOO_LARGE: { status: 413, message: 'The request is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The request must be JSON.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many attempts. Please wait a moment and try again.' },
  INTERNAL: { status: 500, message: 'An unexpected error occurred' },
  UNAVAILABLE: { status: 503, message: 'The service is not available at the moment.' },

  IDEMPOTENCY_MISMATCH: { status: 422, message: 'This idempotency key was already used for another request.' },
  UNKNOWN_VERSION: { status: 422, message: 'This operation was made by a newer version of the app.' },
  CURSOR_GONE: { status: 410, message: 'The change feed starts over.' },
  ACTOR_UNKNOWN: { status: 403, message: 'The person who did this has never signed in on that device.' },
  DEVICE_UNKNOWN: { status: 403, message: 'This device is not enrolled.' },
  DEPENDENCY_PENDING: { status: 409, message: 'An earlier operation has not arrived yet.' },
  SUPERSEDES_APPLIED: { status: 409, message: 'The operation to be replaced was already applied.' },
  DEPENDENCY_VOIDED: { status: 409, message: 'What this builds on was voided.' },
  SUPERSEDED: { status: 409, message: 'This operation was replaced by another.' },
  TRY_AGAIN: { status: 503, message: 'The operation could not be processed yet.' },

  ORDER_EMPTY: { status: 400, message: 'Please add services to the treatment plan before creating.' },
  ORDER_NOT_FOUND: { status: 404, message: 'This treatment does not exist.' },
  ORDER_EXISTS: { status: 409, message: 'A treatment with this id already exists.' },
  ORDER_CANCELLED: { status: 409, message: 'This treatment has been cancelled.' },
  ORDER_PAID: { status: 409, message: 'This treatment has already been paid.' },
  ORDER_HAS_PAYMENTS: { status: 409, message: 'This treatment has payments and cannot be cancelled. Refund them first.' },
  STATUS_NOT_SETTABLE: { status: 409, message: 'This status follows from the payments and cannot be set.' },
  ITEM_UNKNOWN: { status: 400, message: 'This service does not exist.' },
  ITEM_UNAVAILABLE: { status: 409, message: 'This service is not available.' },
  QUANTITY_INVALID: { status: 400, message: 'Quantity must be at least 1' },
  AMOUNT_INVALID: { status: 400, message: 'The amount must be greater than 0.' },
  AMOUNT_EXCEEDS_BALANCE: { status: 409, message: 'The amount is more than what is still due.' },
  REFUND_EXCEEDS_PAYMENTS: { status: 409, message: 'The refund is more than what was paid.' },
  STAFF_SELF: { status: 409, message: 'You cannot remove or deactivate yourself.' },
  LAST_ADMIN: { status: 409, message: 'The last administrator cannot be removed, demoted or deactivated.' },
  STOCK_NOT_FOUND: { status: 404, message: 'This stock item does not exist.' },
  STOCK_IN_USE: { status: 409, message: 'This item is an ingredient of a product. Remove it there first.' },
  HELD_TOO_LITTLE: { status: 409, message: 'Less than this is set aside.' },
  CATEGORY_EXISTS: { status: 409, message: 'A category with this name already exists.' },
  CSV_UNREADABLE: { status: 400, message: 'This file cannot be read as a table.' },
  CSV_COLUMN_UNKNOWN: { status: 400, message: 'This table has a column that is not known here.' },
  CSV_COLUMN_MISSING: { status: 400, message: 'This table lacks a column.' },
  CSV_TOO_LONG: { status: 413, message: 'This table has too many rows.' },
  IMPORT_HAS_ERRORS: { status: 409, message: 'Some rows are not valid. Nothing was imported.' },

  PURCHASE_ORDER_NOT_FOUND: { status: 404, message: 'This purchase order does not exist.' },
  PURCHASE_ORDER_NOT_DRAFT: { status: 409, message: 'Only a draft can be changed or sent.' },
  PURCHASE_ORDER_CLOSED: { status: 409, message: 'This purchase order is closed.' },
  PURCHASE_ITEM_NOT_FOUND: { status: 404, message: 'This line is not part of the purchase order.' },
  DELIVERY_EXCEEDS_ORDER: { status: 409, message: 'This is far more than was ordered. Check the quantity, or add the surplus as an adjustment.' },
  LOT_REQUIRED: { status: 400, message: 'This item is kept by lot: enter the lot number and the expiry date.' },
  LOT_EXPIRED: { status: 409, message: 'This lot has already expired and is not taken in.' },
  FILE_MISSING: { status: 400, message: 'Choose a file to upload.' },
  FILE_TOO_LARGE: { status: 413, message: 'The file is larger than 10 MB.' },
  FILE_TYPE_REFUSED: { status: 415, message: 'This kind of file is not accepted.' },
  IMAGE_BROKEN: { status: 422, message: 'This picture is damaged or too large to be read.' },
  ALERT_NOT_FOUND: { status: 404, message: 'This alert does not exist.' },
  ALERT_RESOLVED: { status: 409, message: 'This alert has already been resolved.' },
  LOT_NOT_FOUND: { status: 404, message: 'This lot does not exist.' },

  EXPENSE_NOT_FOUND: { status: 404, message: 'This expense does not exist.' },
  EXPENSE_DECIDED: { status: 409, message: 'This expense has already been approved or rejected.' },

  // Only ever met on a device.
  DEVICE_NOT_ENROLLED: { status: 409, message: 'Sign in online once before using this device.' },
  STORAGE_FULL: { status: 507, message: 'The storage of this device is full. Nothing was saved.' },
  STORAGE_LOST: { status: 503, message: 'The storage of this device does not answer. Nothing was saved.' },
  OPERATION_NOT_REFUSED: { status: 409, message: 'Only what the server refused can be sent again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;
/** A code that a decision may refuse with. */
export type RefusalCode = ErrorCode;
