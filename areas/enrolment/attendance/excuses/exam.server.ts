import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { tells } from '#kit/server/base/hears.ts'

/** An excuse of an exam was accepted, or is accepted no more: the exam days keep absences from exams. */
export const examExcused =
  tells<[ctx: Ctx, tx: Tx, excuse: { readonly id: number; readonly accepted: boolean }]>('excuse.exam')
