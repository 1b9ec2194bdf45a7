/**
 * The bounds of what the clinic takes in, each with its reason. They are far above anything that a clinic does, so
 * somebody who meets one has made a mistake or means harm. Forms, REST requests and the operations of devices obey the same
 * bounds.
 */
import { dayMs } from './durations.ts';

/**
 * The largest amount in minor units: of a price, a line, a payment, an expense and a treatment as a whole. A hundred
 * million is ten times the dearest treatment in the smallest currency (rupees), and the sum of a million such
 * treatments is still an integer that a double holds exactly.
 */
export const maxMinor = 10_000_000_000;

/** The largest quantity in thousandths: a million pieces, more than a store room holds. */
export const maxMilli = 1_000_000_000;

/** True for an amount on the wire within its bounds. */
export const isAmount = (value: number): boolean => value >= 0 && value * 100 <= maxMinor;

/** True for a quantity on the wire within its bounds. */
export const isQuantity = (value: number): boolean => value >= 0 && value * 1000 <= maxMilli;

/** The longest texts: what a line of a list or a document shows, and for notes what a person reads. */
export const textLimits = { name: 200, phone: 40, notes: 2000, reference: 100, reason: 500, number: 40 } as const;

/** The number of lines of one operation. The screen of a plan is long at twenty. */
export const maxLines = 200;

/**
 * The number of lines, and of payments, refunds and cancels together, of one treatment. Every change reads the whole
 * treatment, and a treatment of many visits has some dozens.
 */
export const maxTreatmentFacts = 1000;

/**
 * The characters of one treatment with its documents, as JSON. Every change, list and pull reads all of it. One of two hundred
 * lines with a dozen invoices has two hundred thousand, and what one batch brings always fits twice.
 */
export const maxTreatmentText = 600_000;

/** The number of invoices that one document corrects: those of a whole treatment, and as many as the tax agency takes. */
export const maxCorrected = maxTreatmentFacts;

/**
 * The number of different taxes in one treatment: a record of the Spanish tax agency takes so many lines. There are six
 * exemptions and three rates; more than twelve come together only where rates change twice during a treatment.
 */
export const maxTaxes = 12;

/**
 * The time before the clinic's first day that a fact can be of: what was done on paper before the clinic began here.
 * An earlier time comes from a clock that was never set.
 */
export const longestBeforeFirstDayMs = 366 * dayMs;

/**
 * The difference between a device's corrected clock and the server's from which a manager learns of it. An offset measured at
 * the last contact is right to the second; a clock that moved a day since then was set by hand, or lost its battery.
 */
export const wrongClockMs = dayMs;

/**
 * How long after its end an actor key still signs: a clock that was compared with the server's is right to the second,
 * and a sale begins before it is signed.
 */
export const keySlackMs = 60_000;

/**
 * The time by which a fact can be older than its device's last report that nothing waited, before a manager learns of it.
 * The device had nothing to send then, so a fact from before was dated back.
 */
export const backdatedMs = dayMs;

/**
 * The age at arrival at which a fact is always told to a manager. No tablet stays offline for thirty days unnoticed,
 * and the books of that month are closed.
 */
export const longestOfflineMs = 30 * dayMs;

/** The time for which a tablet can still sell at a price that was changed: the longest that one is offline. */
export const oldPriceMs = longestOfflineMs;

/**
 * The largest step of a device's document numbers that moves its counter. A device sells some hundred treatments a day,
 * so a larger step is no gap that a lost day explains. The document counts all the same, but its number does not, or one
 * number could use up a series.
 */
export const maxNumberStep = 10_000;

/** The largest step of a device's sequence that moves it. A sale takes two or three of the sequence. */
export const maxSequenceStep = 1_000_000;

/**
 * The number of times that a refused operation can be replaced by a corrected one (SYNC-7). Who has corrected it fifty
 * times voids it and enters the work again; each replacement lengthens the chain that its dependants follow.
 */
export const maxReplacements = 50;

/** The number of operations that one operation can depend on. The app names at most the last ones of its treatment. */
export const maxDependencies = 50;

/**
 * The number of dependencies of a whole batch. The app's operations have one or two each; a device that really has more
 * sends smaller batches, as it does for a batch of too many bytes.
 */
export const maxBatchDependencies = 1000;

/**
 * The number of open drawers of one device. The app opens one at a time; a cloned or restored device has two. Each
 * reader of the open drawers reads all of them.
 */
export const maxOpenDrawers = 10;
