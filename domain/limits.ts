/**
 * The bounds of what the clinic takes in, each with its reason. They are far above anything that a clinic does, so
 * whoever meets one has made a mistake or means harm. Forms, REST requests and the operations of devices obey the same
 * bounds.
 */

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
