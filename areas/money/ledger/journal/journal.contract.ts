import { call, date, id, paperLanguage } from '#kit/contract/index.ts'
import { z } from 'zod'
import { JOURNAL_FORMATS } from './journal.rules.ts'

/** The journal for whoever keeps the general ledger. */
export const journalCalls = {
  file: call('POST', '/ledger/journal', {
    permission: 'export_journal',
    summary: [
      'Entries of the ledger by day and account, for a general ledger',
      'قيود دفتر الأستاذ بحسب اليوم والحساب، للأستاذ العام',
    ],
    body: z.strictObject({
      from: date,
      until: date,
      currency_id: id,
      format: z.enum(JOURNAL_FORMATS).default('xlsx'),
      lang: paperLanguage.default('en'),
      company: z.string().trim().min(1).max(140).nullish(),
      journal: z.string().trim().min(1).max(40).nullish(),
    }),
    file: { name: 'Journal.xlsx', type: 'xlsx' },
    reads: true,
    example: { from: '2026-01-01', until: '2026-01-31', currency_id: 1 },
  }),
}
