import { most } from '#kit/contract/cut.ts'
import { LANGUAGES, call, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'

/** Changes of a text that are told at first, in each language. */
export const FIRST_CHANGES = 20

const language = z.enum(LANGUAGES)
const key = z.string().max(100)
const text = z.object({ subject: z.string(), forms: z.record(z.string(), z.string()) })
export type SaidText = z.output<typeof text>

const kind = z.object({
  /** `area.notice` of a kind of notice, `mail.key` of a mail. */
  key,
  /** What it is about, in the reader's language; null: a mail, which the screen names. */
  title: z.string().nullable(),
  /** Languages in which the university says it itself. */
  own: z.array(language),
})
export type TextKind = z.output<typeof kind>

const saved = z.object({
  language,
  version: z.int(),
  /** null: back to what is shipped. */
  text: text.nullable(),
  at: z.string(),
  by: z.string().nullable(),
})
const detail = z.object({
  key,
  title: z.string().nullable(),
  places: z.array(z.object({ name: z.string(), required: z.boolean() })),
  /** A mail of several lines; a notice is one. */
  lines: z.boolean(),
  languages: z.array(
    z.object({
      language,
      shipped: text,
      own: text.nullable(),
      /** Of the newest; 0: what is shipped was never changed. */
      version: z.int(),
      /** How often something else was said, or that was taken back: more than the history may hold. */
      changes: z.int(),
    }),
  ),
  /** The newest first: of each language as many as were asked for. */
  history: z.array(saved),
})
export type TextDetail = z.output<typeof detail>

const body = z.strictObject({
  subject: safeText(200, 1),
  forms: z.record(z.string().max(10), safeText(4000, 1)),
})
const EXAMPLE = { subject: 'Results', forms: { text: 'Results of {course} are out' } }
const params = z.object({ notice: key, language })
const spec = { permission: 'edit_university', params } as const

/** What the university says itself in notices and mails, in each language. */
export const noticeTextCalls = {
  noticeTexts: call('GET', '/notice-texts', {
    permission: 'edit_university',
    summary: ['List kinds of notices and mails', 'عرض أنواع الإشعارات والرسائل'],
    response: z.object({ data: z.array(kind) }),
  }),
  noticeText: call('GET', '/notice-texts/{notice}', {
    permission: 'edit_university',
    summary: ['Show what a notice or mail says', 'عرض نص إشعار أو رسالة'],
    params: z.object({ notice: key }),
    query: z.strictObject({ most: most.default(FIRST_CHANGES) }),
    response: z.object({ data: detail }),
  }),
  saveNoticeText: call('PUT', '/notice-texts/{notice}/{language}', {
    ...spec,
    summary: ['Change what a notice or mail says', 'تعديل نص إشعار أو رسالة'],
    body: body.extend({ version: z.int().min(0).max(2_147_483_646) }),
    response: z.object({ data: detail }),
    example: { ...EXAMPLE, version: 0 },
  }),
  resetNoticeText: call('POST', '/notice-texts/{notice}/{language}/reset', {
    ...spec,
    summary: ['Say again what is shipped', 'العودة إلى النص الأصلي'],
    body: z.strictObject({ version: z.int().min(0).max(2_147_483_646) }),
    response: z.object({ data: detail }),
    example: { version: 1 },
  }),
  previewNoticeText: call('POST', '/notice-texts/{notice}/{language}/preview', {
    ...spec,
    summary: ['Show how a notice or mail would look', 'معاينة إشعار أو رسالة'],
    body,
    response: z.object({
      /** In the application; null: a mail alone. */
      data: z.object({ app: z.string().nullable(), subject: z.string(), text: z.string() }),
    }),
    reads: true,
    example: EXAMPLE,
  }),
}
