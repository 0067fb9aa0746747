import { z } from 'zod'
import { call } from './call.ts'
import type { Label } from './words.ts'

/** By mail: `always` (cannot be switched off), at once, in the daily summary, off at first, or `never` (nobody is offered it). */
export type MailWay = 'always' | 'now' | 'digest' | 'off' | 'never'

/**
 * A kind of notice. Its area declares it under the key of its text, `area({ notices: { notice_published: {…} } })`,
 * and sends it with `notify(tx, users, { key: 'grading.notice_published' })`. The area's catalogue has the text in
 * five languages.
 */
export interface Notice {
  /** What it is about, in the person's list of preferences and as the subject of its mail. */
  readonly title: Label
  /** Who is told: types of users (1 instructor, 2 employee, 3 student, 4 applicant). */
  readonly audience: readonly (1 | 2 | 3 | 4)[]
  /** In the application: always, or on unless switched off. */
  readonly app: 'always' | 'on'
  readonly mail: MailWay
}

/** The groups in which people choose, in their order: what a notice is about, in plain words. */
export const NOTICE_GROUPS = ['study', 'time', 'grades', 'money', 'requests', 'account'] as const
export type NoticeGroup = (typeof NOTICE_GROUPS)[number]

export const CHOSEN_WAYS = ['now', 'digest', 'off'] as const
const way = z.enum(CHOSEN_WAYS)
const preference = z.object({
  /** `area.key`. */
  key: z.string(),
  group: z.enum(NOTICE_GROUPS),
  /** Whose texts name it. */
  area: z.string(),
  title: z.object({ name: z.string(), name_local: z.string() }),
  app: z.boolean(),
  mail: way,
  /** Ways that cannot be changed. */
  fixed: z.object({ app: z.boolean(), mail: z.boolean() }),
})
export type NoticePreference = z.output<typeof preference>

export const noticeCalls = {
  noticePreferences: call('GET', '/notices/preferences', {
    permission: 'signed_in',
    summary: ['What I am told, and by which way', 'ما يصلني من إشعارات وبأي وسيلة'],
    response: z.object({ data: z.array(preference), digest_hour: z.int() }),
  }),
  saveNoticePreferences: call('PUT', '/notices/preferences', {
    permission: 'signed_in',
    summary: ['Choose what I am told, and by which way', 'اختيار ما يصلني من إشعارات ووسيلته'],
    body: z.strictObject({
      preferences: z
        .array(z.strictObject({ key: z.string().max(100), app: z.boolean(), mail: way }))
        .max(200)
        .default([]),
      /** Hour of the university's day at which the daily summary comes. */
      digest_hour: z.int().min(0).max(23).optional(),
    }),
    response: z.object({ data: z.array(preference), digest_hour: z.int() }),
    example: { preferences: [], digest_hour: 7 },
  }),
  stopNoticeMails: call('POST', '/notices/stop/{token}', {
    permission: 'public',
    summary: ['Stop mails of a kind, by the link in one of them', 'إيقاف رسائل نوع من الإشعارات من رابط إحداها'],
    params: z.object({ token: z.string().max(200) }),
    response: z.object({ data: preference.pick({ area: true, title: true }) }),
  }),
}
