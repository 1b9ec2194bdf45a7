/**
 * The validation problems of form fields. The rules in `domain` return problem codes by field. A screen shows the code's
 * translation (`problems.*` in the locales); the server runs the same rules and replies with the English message.
 */
export const problemCatalogue = {
  REQUIRED: 'This field is required',
  TOO_LONG: 'This text is too long',
  NUMBER_INVALID: 'Enter a number',
  NAME_REQUIRED: 'Name is required',
  UNIT_REQUIRED: 'Unit is required',
  QUANTITY_NEGATIVE: 'Quantity must be 0 or greater',
  QUANTITY_NOT_POSITIVE: 'Quantity must be greater than 0',
  RESERVED_NEGATIVE: 'Reserved quantity must be 0 or greater',
  THRESHOLD_NEGATIVE: 'Low stock threshold must be 0 or greater',
  COST_NEGATIVE: 'Cost per unit must be 0 or greater',
  SUPPLIER_REQUIRED: 'Supplier is required',
  SUPPLIER_CONTACT_REQUIRED: 'Supplier contact is required',
  PRICE_TOO_SMALL: 'Price must be greater than 0',
  PRODUCT_NAME_SHORT: 'Product name must be at least 2 characters',
  INGREDIENT_NEGATIVE: 'Quantity must be 0 or greater',
  CATEGORY_NAME_SHORT: 'Category name must be at least 2 characters',
  CATEGORY_UNKNOWN: 'This category no longer exists',
  LINES_REQUIRED: 'Add at least one item',
  UNIT_NEEDS_COUNT: 'Enter the quantity in the new unit: the stock is counted anew',
  UNIT_IN_USE: 'Lots, reservations or services count in this unit. Add a new item for the other unit',
  ITEM_ON_ORDER: 'A sent purchase order waits for this item. Receive it or close it first',
  RESERVED_BELOW_PROMISED: 'Open treatments need more than this',
  INGREDIENT_UNKNOWN: 'An ingredient does not exist',
  INGREDIENT_TWICE: 'An ingredient is listed twice',
  PERCENT_INVALID: 'Enter a percentage from 0 to 100',
  REASON_SHORT: 'Please give a reason of at least 3 characters',
  REASON_NAMES_PATIENT: 'The reason is kept, so it must not name the patient',
  RETENTION_INVALID: 'Enter 0 for never, or 5 to 50 years',
  KEEP_DAYS_INVALID: 'Enter 7 to 30 days',
  TIMEOUT_INVALID: 'Enter 1 to 120 minutes',
  LOCK_MINUTES_INVALID: 'Enter 1 to 60 minutes',
  TIME_ZONE_UNKNOWN: 'Unknown time zone',
  COLOUR_INVALID: 'A colour has six hexadecimal digits, such as #0b5150',
  PICTURE_UNKNOWN: 'Choose a picture that was uploaded here',
  TAX_ID_INVALID: 'This is not a valid NIF, NIE or CIF',
  FOREIGN_ID_INVALID: 'Enter the number of the document; a VAT number begins with its country',
  COUNTRY_REQUIRED: 'Choose the country; a Spaniard without a NIF has a travel document',
  POSTAL_CODE_INVALID: 'Enter a Spanish postal code of 5 digits',
  TAX_RATES_INVALID: 'Each rate needs a day of its own and a percentage from 0 to 100',
  TAX_RATES_ILLEGAL:
    'The law knows 21, 10, 4 and 0 %, and for past years a few others: the tax agency rejects the rest',
  TAX_PROFILE_EURO: 'Spanish invoices are in euros',
  TAX_PROFILE_NO_VAT:
    'The Canaries have IGIC, and Ceuta and Melilla IPSI, in the place of IVA: the profile has neither',
  VERIFACTU_DAY: 'Enter a day',
  VERIFACTU_PROFILE: 'VERI*FACTU needs the Spanish tax profile',
  VERIFACTU_BASQUE: 'In Álava, Bizkaia and Gipuzkoa TicketBAI takes the place of VERI*FACTU',
  VERIFACTU_DEMO: 'Practice invoices must not reach the tax agency: a demo has no VERI*FACTU',
  VERIFACTU_PAST: 'VERI*FACTU begins today or later',
  VERIFACTU_BOUND: 'From its obligatory day on a clinic does not issue outside VERI*FACTU',
  VERIFACTU_ANNOUNCED: 'The tax agency has been told of this end, which is in the last month of its year',
  VERIFACTU_YEAR_END: 'VERI*FACTU ends on 31 December of a year that is not over',
  CERTIFICATE_UNREADABLE:
    'This file and this passphrase do not open. Files of old programs must be exported anew (AES-256)',
  CERTIFICATE_ENDED: 'This certificate has ended',
  PERSON_NAME_SHORT: 'Name must be at least 3 characters',
  EMAIL_INVALID: 'Invalid email format',
  EMAIL_TAKEN: 'Someone else has this email',
  PASSWORD_SHORT: 'Password must be at least 6 characters',
  PASSWORD_COMMON: 'This password is too common. Choose another',
  PASSWORD_PERSONAL: 'A name or an email is easy to guess. Choose another',
  PASSWORD_WRONG: 'Wrong current password',
  PASSWORD_OWN: 'Change your own password under Profile, with the current one',
  PASSKEY_INVALID: 'This passkey was not accepted',
  PIN_UNFIT: 'A PIN has 6 to 8 digits',
  PIN_EASY: 'This PIN is too easy to guess',
  PIN_DIFFERS: 'The two PINs do not match',

  // Rooms.
  ROOM_NUMBER_REQUIRED: 'Table number is required',
  SEATS_TOO_FEW: 'Table must have at least 1 seat',
  SEATS_TOO_MANY: 'Maximum 20 seats per table',
  NUMBER_NOT_WHOLE: 'Enter a whole number',

  // Expenses.
  TITLE_SHORT: 'Title must be at least 3 characters',
  DESCRIPTION_SHORT: 'Description must be at least 3 characters',
  AMOUNT_NEGATIVE: 'Amount must be 0 or greater',
  AMOUNT_NOT_POSITIVE: 'Amount must be greater than 0',
  AMOUNT_TAKEN: 'This amount has left the drawer and cannot be changed',
  DATE_INVALID: 'Enter a date',
  RECEIPT_UNFIT: 'This is not the address of an uploaded receipt',
  REJECTION_REASON_SHORT: 'Rejection reason must be at least 3 characters',

  // Report filters.
  REPORT_RANGE: 'Report end date cannot precede start date',
  AMOUNT_RANGE: 'The highest amount cannot be below the lowest',
  SEARCH_SHORT: 'Enter at least 2 letters or digits',

  // Rows of an imported table.
  ID_UNKNOWN: 'Nothing has this id',
  NAME_AMBIGUOUS: 'Several items have this barcode or name. Give the id',
  ROW_REPEATED: 'An earlier row already has this item',
  NUMBER_TOO_FINE: 'This number has more decimals than fit here. A comma begins the decimals, a point groups thousands',
  NUMBER_UNFIT: 'This number is too large or has too many decimals',
  YES_NO_INVALID: 'Enter true or false',
  INGREDIENTS_UNREADABLE: 'Write ingredients as id:quantity, separated by semicolons',
  TEXT_UNFIT: 'This text is too long or cannot be stored',
} as const satisfies Record<string, string>;

export type Problem = keyof typeof problemCatalogue;

/** The first problem of each invalid field; empty for a valid form. */
export type Problems<Field extends string> = Partial<Record<Field, Problem>>;

export const isValid = (problems: Problems<string>): boolean => Object.keys(problems).length === 0;

const problemsBySentence = new Map(
  Object.entries(problemCatalogue).map(([problem, sentence]) => [sentence, problem as Problem]),
);

/** Returns the problem that an English message of the server tells. */
export const problemOf = (sentence: string): Problem | undefined =>
  (problemsBySentence as ReadonlyMap<string, Problem>).get(sentence);

/** Returns the English messages by field, for the server's reply. */
export const problemMessages = (problems: Problems<string>): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).map(([field, problem]) => [field, problemCatalogue[problem!]]));
