import type { Label } from '#kit/contract/index.ts'
import { ruleLabels } from '../words.contract.ts'
import type { NoteCode } from './preflight.rules.ts'

/** The notes of the preflight in short. */
export const NOTE_LABELS: Readonly<Record<NoteCode, Label>> = {
  preflight_full: ['Load used up', 'استنفاد العبء'],
  preflight_limit: ['Limited by warnings', 'عبء مخفض بالإنذارات'],
  preflight_no_advisor: ['No academic advisor', 'بلا مرشد أكاديمي'],
  preflight_placement: ['Placement test', 'اختبار تحديد المستوى'],
  preflight_withdrawal: ['Request to leave a course', 'طلب ترك مقرر'],
  preflight_excuse: ['Excuse asked for', 'عذر قيد النظر'],
  preflight_transfer: ['Transfer asked for', 'تحويل قيد النظر'],
  preflight_transfer_out: ['Transfer away asked for', 'تحويل إلى جامعة أخرى قيد النظر'],
}

const LABELS: Readonly<Record<string, Label>> = { ...ruleLabels, ...NOTE_LABELS }

/** A line of the preflight in short. */
export const preflightLabel = (code: string): Label => LABELS[code] ?? [code, code]
