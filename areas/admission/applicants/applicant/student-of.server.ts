import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { asks } from '#kit/server/base/hears.ts'
import { refuse } from '#kit/server/base/errors.ts'

/** The record of a student that an applicant, who is held and has taken a seat up, becomes: made in this transaction. Answers its id. */
export const studentOfApplicant = asks<[ctx: Ctx, tx: Tx, applicant: number], number>('applicant.student', () => {
  throw refuse(404, 'not_found')
})
