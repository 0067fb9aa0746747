import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { tells } from '#kit/server/base/hears.ts'
import type { ApplicantStatus } from '../words.contract.ts'

/** An application that has come from one status to another. */
export interface ApplicantMove {
  readonly id: number
  readonly from: ApplicantStatus
  readonly to: ApplicantStatus
  readonly reason: string | null
}

/** Applications went on in this transaction: what is paid, booked or made for them follows. */
export const applicantsMoved = tells<[ctx: Ctx, tx: Tx, moved: readonly ApplicantMove[]]>('applicant.moved')
