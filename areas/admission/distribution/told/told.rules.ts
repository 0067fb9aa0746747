/** When a mail about a distribution is tried again, and when nobody tries any more. */

/** So often a mail is handed to the mail server before it is given up. */
export const MOST_TRIES = 8
/** Minutes after which a try whose process said nothing more is taken for dead; a mail server is given up far sooner. */
export const LEASE_MINUTES = 10

/**
 * Minutes until a mail is tried again that failed so often: 1, 2, 4 … 64; null: it is given up.
 *
 * @param tries from 1
 */
export const minutesUntilAgain = (tries: number): number | null => (tries >= MOST_TRIES ? null : 2 ** (tries - 1))
