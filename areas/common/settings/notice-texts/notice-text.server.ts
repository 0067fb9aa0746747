import { sql } from 'kysely'
import { LANGUAGES } from '#kit/contract/index.ts'
import type { Language } from '#kit/contract/index.ts'
import { checkNoticeText } from '#kit/contract/notice-texts.ts'
import type { NoticeText } from '#kit/contract/notice-texts.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { composeMail } from '#kit/server/mail/mail.ts'
import { noticeText, noticeTitle, ownMail, shapeOf, shippedText, textKeys } from '#kit/server/mail/notice-texts.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { FIRST_CHANGES, noticeTextCalls } from './notice-text.contract.ts'
import type { TextDetail } from './notice-text.contract.ts'

const isMail = (key: string): boolean => key.startsWith('mail.')
const titleOf = (key: string, lang: Language): string | null => (isMail(key) ? null : shippedText(key, lang)!.subject)
function requireKind(key: string): void {
  if (!shippedText(key, 'en')) throw refuse(404, 'not_found')
}
/** @throws {Refusal} 422 with every reason why it cannot be said */
function requireSayable(key: string, language: Language, given: NoticeText): void {
  requireKind(key)
  const reasons = checkNoticeText(shippedText(key, language)!, shapeOf(key), given)
  if (reasons.length) throw new Refusal(422, reasons)
}

interface Stored {
  language: Language
  version: number
  subject: string | null
  forms: Record<string, string> | null
  at: string
  by: string | null
  changes: number
}
async function detailOf(ctx: Ctx, key: string, most = FIRST_CHANGES): Promise<TextDetail> {
  requireKind(key)
  const { rows } = await sql<Stored>`select x.language, x.version, x.subject, x.forms, x.created_at as at, x.changes,
      case when ${ctx.lang} = 'ar' then u.name_local else u.name end as by
    from (select n.*, count(*) over l::int as changes, row_number() over (l order by n.id desc) as place
      from notice_texts n where n.key = ${key} window l as (partition by n.language)) x
    left join users u on u.id = x.created_by where x.place <= ${most} order by x.id desc`.execute(ctx.db)
  const said = ({ subject, forms, language }: Stored) =>
    forms && { subject: subject ?? shippedText(key, language)!.subject, forms }
  const { places, required, lines } = shapeOf(key)
  return {
    key,
    title: titleOf(key, ctx.lang),
    places: places.map((name) => ({ name, required: required.includes(name) })),
    lines,
    languages: LANGUAGES.map((language) => {
      const newest = rows.find((row) => row.language === language)
      return {
        language,
        shipped: shippedText(key, language)!,
        own: newest ? said(newest) : null,
        version: newest?.version ?? 0,
        changes: newest?.changes ?? 0,
      }
    }),
    history: rows
      .map((row) => ({ ...row, text: said(row) }))
      .map(({ language, version, text, at, by }) => ({ language, version, text, at, by })),
  }
}

/** One more version on top of the one that was seen; whoever comes second is told. */
const keep = (ctx: Ctx, key: string, language: Language, seen: number, text: NoticeText | null): Promise<TextDetail> =>
  ctx.write(async (tx) => {
    const { rows } = await sql`insert into notice_texts (key, language, version, subject, forms, created_by)
      select ${key}, ${language}, ${seen + 1}::int, ${text?.subject ?? null}, ${text ? JSON.stringify(text.forms) : null}::jsonb, ${ctx.actor?.user_id ?? null}
      where ${seen}::int = coalesce((select max(version) from notice_texts where key = ${key} and language = ${language}), 0)
      on conflict do nothing returning id`.execute(tx)
    if (!rows.length) throw refuse(409, 'changed_meanwhile')
    return detailOf(ctx, key)
  })

/** What stands for places in a preview: of a mail what it really says of the reader, in a notice the name of the place. */
async function mailSample(ctx: Ctx, places: readonly string[], language: Language): Promise<Record<string, string>> {
  const head = await universityHead(ctx)
  const { publicUrl } = ctx.services.config
  const known: Record<string, string> = {
    university: language === 'ar' ? head.name_local : head.name,
    name: (language === 'ar' ? ctx.actor?.name_local : ctx.actor?.name) ?? '',
    link: `${publicUrl}/`,
    preferences: `${publicUrl}/profile/notices`,
    stop: `${publicUrl}/notices/stop/…`,
  }
  return Object.fromEntries(places.map((place) => [place, known[place] ?? `‹${place}›`]))
}
const noticeSample = (places: readonly string[]): Record<string, string | number> =>
  Object.fromEntries(places.map((place) => [place, place === 'count' ? 3 : `‹${place}›`]))

export const noticeTextHandlers: readonly Handled[] = [
  handle(noticeTextCalls.noticeTexts, async (ctx) => {
    const { rows } = await sql<{
      key: string
      own: Language[]
    }>`select key, array_agg(language order by language) as own from (
        select distinct on (key, language) key, language, forms from notice_texts order by key, language, version desc) x
      where forms is not null group by key`.execute(ctx.db)
    const own = new Map(rows.map((row) => [row.key, row.own]))
    return { data: textKeys().map((key) => ({ key, title: titleOf(key, ctx.lang), own: own.get(key) ?? [] })) }
  }),
  handle(noticeTextCalls.noticeText, async (ctx, { params: { notice: key }, query: { most } }) => ({
    data: await detailOf(ctx, key, most),
  })),
  handle(
    noticeTextCalls.saveNoticeText,
    async (ctx, { params: { notice: key, language }, body: { version, ...text } }) => {
      requireSayable(key, language, text)
      return { data: await keep(ctx, key, language, version, text) }
    },
  ),
  handle(noticeTextCalls.resetNoticeText, async (ctx, { params: { notice: key, language }, body: { version } }) => {
    requireKind(key)
    return { data: await keep(ctx, key, language, version, null) }
  }),
  handle(noticeTextCalls.previewNoticeText, async (ctx, { params: { notice: key, language }, body }) => {
    requireSayable(key, language, body)
    const { places } = shapeOf(key)
    if (isMail(key)) {
      const data = await mailSample(ctx, places, language)
      const { subject, text } = composeMail(
        { lang: language, key: key.slice(5), data },
        { subject: body.subject, text: body.forms.text! },
      )
      return { data: { app: null, subject, text } }
    }
    const data = noticeSample(places)
    const app = noticeText(key, data, language, body)
    const { subject, text } = composeMail(
      {
        lang: language,
        key: 'notice',
        data: {
          ...(await mailSample(ctx, ['name', 'university', 'link', 'preferences', 'stop'], language)),
          title: noticeTitle(key, data, language, body),
          text: app,
        },
      },
      await ownMail(ctx.pool, 'notice', language),
    )
    return { data: { app, subject, text } }
  }),
]
