import { z } from 'zod'

/** Rows that a list without pages shows at first. */
export const FIRST_ROWS = 50
/** Rows that it answers at most. */
export const MOST_ROWS = 5000

/** How many rows of a list without pages are wanted; the answer says how many there are. */
export const most = z.coerce.number().int().min(1).max(MOST_ROWS)
/** Query of a list without pages. @example call('GET', '/things', { query: cutQuery, response: cutAnswer(thing), … }) */
export const cutQuery = z.strictObject({ most: most.default(FIRST_ROWS) })
/** Its answer: the first rows, and how many there are in all. */
export const cutAnswer = <R extends z.ZodType>(row: R) => z.object({ data: z.array(row), total: z.int() })
