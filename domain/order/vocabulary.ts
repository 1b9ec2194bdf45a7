/** The enumerations of treatments (orders) and payments. */

export const orderTypes = ['walk_in', 'scheduled', 'emergency', 'dine_in', 'take_away', 'delivery'] as const;
export type OrderType = (typeof orderTypes)[number];
/** The words of a restaurant: nobody is treated, so an order has items and not services. */
export const restaurantTypes: readonly OrderType[] = ['dine_in', 'take_away', 'delivery'];

/** Who names no type has walked in. */
export const defaultOrderType: OrderType = 'walk_in';

/**
 * The status is derived from payments and cancels and never set (SYNC-11). Pending, preparing, ready and served are statuses
 * of lines on the preparation board.
 */
export const orderStatuses = ['confirmed', 'completed', 'cancelled'] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const paymentMethods = ['cash', 'card', 'insurance', 'others'] as const;
export type PaymentMethod = (typeof paymentMethods)[number];
