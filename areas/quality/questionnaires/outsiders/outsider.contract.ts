import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { handInCalls } from '#kit/contract/handing-in.ts'
import { call, id, LANGUAGES, safeText, saved } from '#kit/contract/index.ts'
import { z } from 'zod'

/** How far somebody on the list is. Whether he or she answered is known until the questionnaire is counted. */
export const OUTSIDER_STATES = ['listed', 'sent', 'answered', 'refused'] as const

const email = z.string().trim().toLowerCase().max(200).pipe(z.email())
/** Somebody outside who is asked. */
export const outsiderRow = z.strictObject({
  name: safeText(200, 1),
  organisation: safeText(200, 1).nullable().optional(),
  email,
  /** In which the mail is written. */
  language: z.enum(LANGUAGES).default('ar'),
})
export type OutsiderRow = z.output<typeof outsiderRow>
/** Rows of one call: a list that is longer comes as a sheet. */
export const MOST_OUTSIDERS = 500

const outsider = z.object({
  id,
  name: z.string(),
  organisation: z.string().nullable(),
  email: z.string(),
  language: z.enum(LANGUAGES),
  state: z.enum(OUTSIDER_STATES),
  sent_on: z.string().nullable(),
})
const EDITS = { permission: 'edit_questionnaire' } as const
const example = { name: 'Nadia Selim', organisation: 'Delta Engineering', email: 'nadia@delta.example', language: 'en' }

export const outsiderCalls = {
  list: call('GET', '/questionnaires/outsiders/{id}', {
    permission: 'show_questionnaire',
    summary: ['Who outside is asked by a questionnaire', 'الجهات الخارجية المدعوة إلى استبيان'],
    query: cutQuery,
    response: cutAnswer(outsider).extend({
      /** Whether the list can still be changed. */
      open: z.boolean(),
    }),
  }),
  add: call('PUT', '/questionnaires/outsiders/{id}', {
    ...EDITS,
    summary: ['Put people outside on the list of a questionnaire', 'إضافة أشخاص من خارج الجامعة إلى استبيان'],
    body: z.strictObject({ rows: z.array(outsiderRow).min(1).max(MOST_OUTSIDERS) }),
    /** Who stands there already stays as he or she is. */
    response: z.object({ data: z.object({ added: z.int(), known: z.int() }) }),
    maxBody: 512 * 1024,
    example: { rows: [example] },
  }),
  change: call('PUT', '/questionnaires/outsiders/change/{id}', {
    ...EDITS,
    summary: ['Correct somebody on the list of a questionnaire', 'تصحيح بيانات شخص في قائمة استبيان'],
    body: outsiderRow,
    response: saved,
    example,
  }),
  remove: call('DELETE', '/questionnaires/outsiders/{id}', {
    ...EDITS,
    summary: ['Take somebody off the list of a questionnaire', 'حذف شخص من قائمة استبيان'],
    response: z.object({ data: z.null() }),
  }),
  organisations: call('GET', '/questionnaires/organisations', {
    ...EDITS,
    summary: ['Organisations that train students, as people to ask', 'جهات التدريب التي يمكن سؤالها'],
    response: z.object({
      data: z.array(
        z.object({ id, name: z.string(), name_local: z.string(), contact: z.string().nullable(), email: z.string() }),
      ),
    }),
  }),
  ...handInCalls('/questionnaires/outsiders/import', {
    ...EDITS,
    summaries: {
      import: [
        'People outside from a sheet: preview, save, or a preview by its id',
        'استيراد أشخاص من خارج الجامعة من ملف: مراجعة أو حفظ',
      ],
      lines: ['Show rows of a checked sheet of people outside', 'عرض صفوف ملف أشخاص تمت مراجعته'],
      mend: ['Correct rows of a checked sheet of people outside', 'تصحيح صفوف ملف أشخاص تمت مراجعته'],
    },
  }),
}
