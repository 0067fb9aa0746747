import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { tells } from '#kit/server/base/hears.ts'

/** What an applicant, who is held, passed elsewhere was settled in this transaction: the application goes on. */
export const applicantSettled = tells<[ctx: Ctx, tx: Tx, applicant: number]>('transfer.applicant_settled')
