/** Places on the screens of accounts that later areas fill. */
import { outlet } from '#kit/contract/outlet.ts'

/** How what a student owes is collected; `own`: the student reads it. */
export const collectingOfAccount = outlet<{ readonly student: number; readonly own: boolean }>('account.collecting')
