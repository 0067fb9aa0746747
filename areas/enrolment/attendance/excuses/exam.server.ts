import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'

/** An excuse of an exam was accepted, or is accepted no more. */
type ExamExcused = (ctx: Ctx, tx: Tx, excuse: { readonly id: number; readonly accepted: boolean }) => Promise<void>
let told: ExamExcused | undefined

/** Says who hears of it: the exam days, which keep absences from exams, stand above attendance. */
export const setExamExcused = (hear: ExamExcused): void => {
  told = hear
}
/** Tells them, in this transaction. */
export const examExcused: ExamExcused = async (ctx, tx, excuse) => told?.(ctx, tx, excuse)
