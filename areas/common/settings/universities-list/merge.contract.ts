import { z } from 'zod'
import { id } from '#kit/contract/index.ts'

/** What a duplicate is put together with: the record that stays. */
export const mergeBody = z.strictObject({ into_id: id })
/** What became of it: records that pointed to it, and those that had its name. */
export const mergeAnswer = z.object({ data: z.object({ id, moved: z.int(), renamed: z.int() }) })
