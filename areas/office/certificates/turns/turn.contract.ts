import { z } from 'zod'
import type { Label } from '#kit/contract/words.ts'

/** For what a certificate waits; which it is follows from its state and its signatures. */
export const TURNS = ['prepare', 'correct', 'send', 'review', 'sign', 'issue', 'deliver'] as const
type Turn = (typeof TURNS)[number]

/** What the wait is called, in notices and on the page. */
export const TURN_NAMES: Readonly<Record<Turn, Label>> = {
  prepare: ['Preparation', 'الإعداد'],
  correct: ['Correction', 'التصحيح'],
  send: ['Sending to review', 'الإرسال للمراجعة'],
  review: ['Review', 'المراجعة'],
  sign: ['Signature', 'التوقيع'],
  issue: ['Issue', 'الإصدار'],
  deliver: ['Handing over', 'التسليم'],
}

/** Where a certificate stands now: since when it waits, until when it should have moved on, and by how much it is late. */
export const turn = z.object({
  kind: z.enum(TURNS),
  position_id: z.int().nullable(),
  since: z.string(),
  due_on: z.string().nullable(),
  /** Days after `due_on`; 0: in time. */
  late: z.int(),
  /** Whose turn it is was reminded on. Staff only. */
  reminded_on: z.string().nullable(),
  /** Who stands above was told on. Staff only. */
  told_on: z.string().nullable(),
  /** Nobody holds the position that signs next today. Staff only. */
  vacant: z.boolean(),
})
export type CertificateTurn = z.output<typeof turn>
