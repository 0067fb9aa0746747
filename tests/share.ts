/**
 * Tests that are generated from what is declared try thousands of cases, and more with every area. `npm test` takes a share of
 * those each day, another one the next day, so that a run stays short enough to be waited for; `npm test -- --every` takes
 * them all, and so does a test file that is run by itself.
 */
const day = process.env.SHARE_OF_DAY === undefined ? null : Number(process.env.SHARE_OF_DAY)

/** Whether this run takes a share of the generated cases, not all of them. */
export const SHARED_OUT = day !== null

/**
 * Today's share.
 * @param of how many days it takes until each case has been tried
 */
export const share = <T>(cases: readonly T[], of: number): readonly T[] =>
  day === null ? cases : cases.filter((_, i) => i % of === day % of)
